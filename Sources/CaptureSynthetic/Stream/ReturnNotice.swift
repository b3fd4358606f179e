import Capture
import EventLoop
import OperatingSystem

/// Notifies a session when the camera may be available again. Used on the session's loop only.
// @unchecked: only the session's loop uses it.
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

  /// Schedules the notice for the moment of reconnection; nil if that is not known.
  func expect(at moment: MonotonicTime?) {
    timer?.cancel()
    timer = moment.map { loop.schedule(at: $0, onReturn) }
  }

  func cancel() {
    timer?.cancel()
  }
}
