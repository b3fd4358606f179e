public import OperatingSystem

// Sendable: `body` is touched on the loop's thread alone, which `cancel` checks.
/// One call at one moment, made by ``EventLoop/schedule(at:_:)``. The loop holds it until then, or until it is cancelled.
public final class LoopTimer: @unchecked Sendable {
  private(set) var deadline: MonotonicTime
  /// Counts up: timers of one deadline fire in the order in which they were made.
  private(set) var sequence: UInt64
  private unowned let loop: EventLoop
  private var body: (@Sendable () -> Void)?
  private var isPending = true

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

  /// Has the body called once more, at another moment. For the body itself to call: what happens at every frame needs
  /// no new timer for each.
  public func again(at deadline: MonotonicTime) {
    loop.checkIsolated()
    precondition(!isPending && body != nil, "only a timer's own body can have it called again")
    isPending = true
    loop.timers.add(self, at: deadline)
  }

  /// Takes the place in the queue that the deadline gives it.
  func set(deadline: MonotonicTime, sequence: UInt64) {
    self.deadline = deadline
    self.sequence = sequence
  }

  func fire() {
    isPending = false
    body?()
    if !isPending { body = nil }
  }
}
