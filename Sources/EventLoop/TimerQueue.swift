import OperatingSystem

// Sendable: only the loop's thread uses it; the public entry points call `checkIsolated` first.
/// The timers of a loop.
final class TimerQueue: @unchecked Sendable {
  /// In the order of their deadlines, latest first: the next timer is removed from the end.
  private var pending: [LoopTimer] = []
  private var due: [LoopTimer] = []
  private var nextSequence: UInt64 = 0

  /// When the next timer fires. Nil without timers.
  var nextDeadline: MonotonicTime? { pending.last?.deadline }

  func add(
    at deadline: MonotonicTime,
    on loop: EventLoop,
    _ body: @escaping () -> Void
  ) -> LoopTimer {
    let timer = LoopTimer(at: deadline, sequence: nextSequence, on: loop, body)
    nextSequence += 1
    pending.insert(timer, at: index(of: timer))
    return timer
  }

  /// Inserts a timer that has fired once more.
  func add(_ timer: LoopTimer, at deadline: MonotonicTime) {
    timer.set(deadline: deadline, sequence: nextSequence)
    nextSequence += 1
    pending.insert(timer, at: index(of: timer))
  }

  func remove(_ timer: LoopTimer) {
    let index = index(of: timer)
    // A timer that fires in this round has left the queue already.
    if index < pending.count, pending[index] === timer { pending.remove(at: index) }
  }

  func removeAll() {
    pending = []
  }

  /// Fires the timers that are due. A timer that they schedule waits for the next turn, even if it
  /// is due already.
  /// - Returns: Whether a timer was due.
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

  /// The timer's place, whether it is in the queue or not.
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
