import Glibc
import OperatingSystem

/// Notices a loop that no longer turns, because a call on it does not return.
///
/// It looks every two seconds, on a thread of its own, and gives each loop something to do. A loop
/// is stuck when several looks in a row find it at the same place. Looks are counted instead of
/// time, because a program that was stopped and continued has lost time without being stuck.
package final class LoopWatchdog: Sendable {
  /// A loop that has not turned for ten seconds.
  package struct StuckLoop: Hashable, Sendable {
    package let name: String
    /// What it does, as a clause.
    package let activity: String
  }

  private static let name = "watchdog"

  private let pause: Interrupter
  private let thread: pthread_t

  /// - Parameter onStuck: Called on the watchdog's thread, once. The watchdog ends then.
  /// - Throws: The system has no thread or descriptor left.
  package init(
    _ loops: [EventLoop],
    interval: Duration = .seconds(2),
    onStuck: @escaping @Sendable (StuckLoop) -> Void
  ) throws(LoopShortage) {
    guard let pause = try? Interrupter() else {
      throw LoopShortage(name: Self.name, what: .descriptor)
    }
    self.pause = pause
    let thread = SystemThread.start {
      var looks = LoopLooks()
      while (try? pause.pause(milliseconds: Int32(interval / .milliseconds(1)))) != nil {
        guard let place = looks.stuck(loops.map(\.momentBeforeWork)) else { continue }
        let loop = loops[place]
        return onStuck(StuckLoop(name: loop.name, activity: loop.turns.activity))
      }
    }
    guard let thread else { throw LoopShortage(name: Self.name, what: .thread) }
    self.thread = thread
  }

  /// Ends the thread and waits for its end. Call it once.
  package func end() {
    pause.interrupt()
    pthread_join(thread, nil)
  }
}

extension EventLoop {
  /// Gives the loop something to do, and returns the moment before; nil if the loop was stopped.
  fileprivate var momentBeforeWork: UInt64? {
    let moment = turns.moment
    return performUnlessStopped {} ? moment : nil
  }
}

/// Counts in how many looks in a row a loop was at the same place. Pure.
struct LoopLooks {
  /// How many looks make a loop stuck.
  static let limit = 6

  private var seen: [(moment: UInt64?, count: Int)] = []

  /// - Parameter moments: Where each loop is; nil for a loop that was stopped. Always the same
  ///   loops.
  /// - Returns: The place of a loop that is stuck.
  mutating func stuck(_ moments: [UInt64?]) -> Int? {
    if seen.isEmpty { seen = moments.map { _ in (nil, 0) } }
    for (place, moment) in moments.enumerated() {
      let isSame = moment != nil && moment == seen[place].moment
      seen[place] = (moment, isSame ? seen[place].count + 1 : 1)
    }
    return seen.firstIndex { $0.moment != nil && $0.count >= Self.limit }
  }
}
