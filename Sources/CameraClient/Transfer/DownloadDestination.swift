import EventLoop
import ZeroMQ

/// Where a download's bytes go, and what digests them, on a thread of its own: disks may be slow.
protocol DownloadDestination: LoopActor {
  /// Takes the next bytes. What has failed once fails again: behind a gap they would be worth
  /// nothing.
  func append(_ chunk: Message) throws(CameraBusError)
}
