// Sendable: `body` is touched on the loop's thread alone, which `cancel` checks.
/// One call at one moment, made by ``EventLoop/schedule(at:_:)``. The loop holds it until then, or until it is cancelled.
public final class LoopTimer: @unchecked Sendable {
  let deadline: MonotonicTime
  /// Counts up: timers of one deadline fire in the order in which they were made.
  let sequence: UInt64
  private unowned let loop: EventLoop
  private var body: (@Sendable () -> Void)?

  init(
    at deadline: MonotonicTime,
    sequence: UInt64,
    on loop: EventLoop,
    _ body: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.sequence = sequence
    self.loop = loop
    self.body = body
  }

  /// Sees to it that the body is not called, also when its moment has come. On the loop's thread only; afterwards,
  /// or after the timer has fired, it does nothing.
  public func cancel() {
    loop.checkIsolated()
    guard body != nil else { return }
    body = nil
    loop.timers.remove(self)
  }

  func fire() {
    let body = self.body
    self.body = nil
    body?()
  }
}
