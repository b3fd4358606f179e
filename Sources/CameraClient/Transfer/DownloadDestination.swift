import EventLoop
import ZeroMQ

/// Keeps a download's bytes and digests them, on a thread of its own, because disks may be slow.
protocol DownloadDestination: LoopActor {
  /// Takes the next bytes. After a failure it fails always, because bytes behind a gap are useless.
  func append(_ chunk: Message) throws(CameraBusError)
}
