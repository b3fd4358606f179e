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
