import Capture
import EventLoop

/// Tells a session that waits for the camera that it may be had again. Confined to the session's loop.
// @unchecked: see above.
final class ReturnNotice: @unchecked Sendable {
  private let loop: EventLoop
  private let onReturn: @Sendable () -> Void
  private var timer: LoopTimer?

  init(on loop: EventLoop, _ onReturn: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.onReturn = onReturn
  }

  func tell() {
    loop.perform(onReturn)
  }

  /// The camera will be plugged in at this moment; nil when that is not known.
  func expect(at moment: MonotonicTime?) {
    timer?.cancel()
    timer = moment.map { loop.schedule(at: $0, onReturn) }
  }

  func cancel() {
    timer?.cancel()
  }
}
