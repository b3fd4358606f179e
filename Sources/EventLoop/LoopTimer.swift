public import OperatingSystem

// Sendable: only the loop's thread uses `body`; `cancel` and `again` check that.
/// A call at one moment, made by ``EventLoop/schedule(at:_:)``. The loop holds the timer until it
/// fires or is cancelled.
public final class LoopTimer: @unchecked Sendable {
  private(set) var deadline: MonotonicTime
  /// Increases with every timer, so that timers of one deadline fire in the order in which they
  /// were made.
  private(set) var sequence: UInt64
  private unowned let loop: EventLoop
  private var body: (() -> Void)?
  private var isPending = true

  init(
    at deadline: MonotonicTime,
    sequence: UInt64,
    on loop: EventLoop,
    _ body: @escaping () -> Void
  ) {
    self.deadline = deadline
    self.sequence = sequence
    self.loop = loop
    self.body = body
  }

  /// Cancels the timer, even one that is already due. Call it on the loop's thread. It does nothing
  /// after the timer has fired or was cancelled.
  public func cancel() {
    loop.checkIsolated()
    guard body != nil else { return }
    body = nil
    loop.timers.remove(self)
  }

  /// Calls the body once more at another moment. Only the body itself may call this. It saves a new
  /// timer for each call of something that repeats.
  public func again(at deadline: MonotonicTime) {
    loop.checkIsolated()
    precondition(!isPending && body != nil, "only a timer's own body can have it called again")
    isPending = true
    loop.timers.add(self, at: deadline)
  }

  /// Changes the deadline and with it the timer's place in the queue.
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
