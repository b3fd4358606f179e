import OperatingSystem

// Sendable: touched on the loop's thread alone; who comes from outside calls `checkIsolated` first.
/// The timers of a loop.
final class TimerQueue: @unchecked Sendable {
  /// Latest first, so that the next one to fire is taken off the end.
  private var pending: [LoopTimer] = []
  private var due: [LoopTimer] = []
  private var nextSequence: UInt64 = 0

  /// When the next timer fires; nil without timers.
  var nextDeadline: MonotonicTime? { pending.last?.deadline }

  func add(
    at deadline: MonotonicTime,
    on loop: EventLoop,
    _ body: @escaping @Sendable () -> Void
  ) -> LoopTimer {
    let timer = LoopTimer(at: deadline, sequence: nextSequence, on: loop, body)
    nextSequence += 1
    pending.insert(timer, at: index(of: timer))
    return timer
  }

  /// Puts a timer that has fired in again.
  func add(_ timer: LoopTimer, at deadline: MonotonicTime) {
    timer.set(deadline: deadline, sequence: nextSequence)
    nextSequence += 1
    pending.insert(timer, at: index(of: timer))
  }

  func remove(_ timer: LoopTimer) {
    let index = index(of: timer)
    // A timer that is about to fire in this round has left the queue.
    if index < pending.count, pending[index] === timer { pending.remove(at: index) }
  }

  func removeAll() {
    pending = []
  }

  /// Fires what is due. What that schedules waits for the next turn, even if it is due already.
  /// - Returns: Whether there was something.
  func fire() -> Bool {
    guard !pending.isEmpty else { return false }
    let now = MonotonicTime.now
    while let timer = pending.last, timer.deadline <= now {
      due.append(timer)
      pending.removeLast()
    }
    guard !due.isEmpty else { return false }
    for timer in due { timer.fire() }
    due.removeAll(keepingCapacity: true)
    return true
  }

  /// Where the timer is, or belongs.
  private func index(of timer: LoopTimer) -> Int {
    var range = 0..<pending.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let other = pending[middle]
      if (other.deadline, other.sequence) > (timer.deadline, timer.sequence) {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}
