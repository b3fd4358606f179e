import Capture
import EventLoop
import OperatingSystem

/// Notifies a session when the camera may be available again. Whoever unplugs the camera may use it
/// on any thread.
// @unchecked: only the session's loop uses the variables.
final class ReturnNotice: @unchecked Sendable {
  private let loop: EventLoop
  private let onReturn: @Sendable () -> Void
  private var timer: LoopTimer?
  private var isCancelled = false

  init(on loop: EventLoop, _ onReturn: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.onReturn = onReturn
  }

  func tell() {
    loop.perform(onReturn)
  }

  /// Schedules the notice for the moment of reconnection; nil if that is not known.
  func expect(at moment: MonotonicTime?) {
    loop.perform { [self] in
      timer?.cancel()
      timer = isCancelled ? nil : moment.map { loop.schedule(at: $0, onReturn) }
    }
  }

  /// Only the session's loop cancels it.
  func cancel() {
    isCancelled = true
    timer?.cancel()
  }
}
