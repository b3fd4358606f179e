import Capture
import EventLoop
import OperatingSystem

/// Notifies a session when the camera may be available again. It may be told of that on any thread,
/// also when the session has ended.
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

  /// The camera is back.
  func tell() {
    _ = loop.performUnlessStopped(onReturn)
  }

  /// The camera is gone. Schedules the notice for the moment of its return; nil if that is not
  /// known.
  func expect(at moment: MonotonicTime?) {
    _ = loop.performUnlessStopped { [self] in
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
