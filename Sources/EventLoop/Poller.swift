import CLinux
import Glibc
import OperatingSystem

// Sendable: only the loop's thread uses it; the public entry points call `checkIsolated` first.
/// The descriptors that a loop waits for, and the one system call in which it waits.
final class Poller: @unchecked Sendable {
  private let wakeUp: Int32
  private let turns: TurnClock
  private var watches: [Watch] = []
  private var sources: [any EventSource] = []
  /// In the kernel's form: first the wake-up, then the watches, then the sources.
  private var descriptors: [pollfd] = []
  private var isOutdated = true
  private var ready: [Watch] = []

  init(wakeUp: Int32, _ turns: TurnClock) {
    self.wakeUp = wakeUp
    self.turns = turns
  }

  func add(_ watch: Watch) {
    watches.append(watch)
    isOutdated = true
  }

  func remove(_ watch: Watch) {
    watches.removeAll { $0 === watch }
    isOutdated = true
  }

  func add(_ source: any EventSource) {
    sources.append(source)
    isOutdated = true
  }

  func remove(_ source: any EventSource) {
    sources.removeAll { $0 === source }
    isOutdated = true
  }

  func removeAll() {
    watches = []
    sources = []
    isOutdated = true
  }

  /// Gives a turn to every source that has work. If a source is removed meanwhile, a later one
  /// misses its turn and gets it in the next round.
  /// - Returns: Whether a source had work.
  func processSources() -> Bool {
    var didWork = false
    var index = 0
    while index < sources.count {
      let source = sources[index]
      if source.hasWork() {
        turns.enter(.sockets)
        source.process()
        didWork = true
      }
      index += 1
    }
    return didWork
  }

  /// Sleeps until a descriptor is ready or the deadline has come, then calls the handlers of the
  /// ready watches.
  /// - Parameter deadline: Nil to wait without end.
  /// - Returns: Whether the wake-up was ready.
  func wait(until deadline: MonotonicTime?) -> Bool {
    if isOutdated { rebuild() }
    turns.end()
    let readyCount = poll(until: deadline)
    turns.begin()
    guard readyCount > 0 else { return false }
    // All ready watches are collected first, because a handler can add and remove watches.
    for place in 0..<descriptors.count - 1 where descriptors[place + 1].revents != 0 {
      if place < watches.count {
        ready.append(watches[place])
      } else {
        sources[place - watches.count].descriptorBecameReadable()
      }
    }
    if !ready.isEmpty {
      turns.enter(.descriptors)
      for watch in ready { watch.fire() }
      ready.removeAll(keepingCapacity: true)
    }
    return descriptors[0].revents != 0
  }

  /// A signal may interrupt the sleep. Then the loop does one round without work and sleeps again.
  private func poll(until deadline: MonotonicTime?) -> Int32 {
    guard let deadline else {
      return unsafe CLinux_ppoll(&descriptors, UInt(descriptors.count), nil)
    }
    // Plain integers, because the arithmetic of `Duration` has 128 bits and is slow.
    let nanoseconds =
      deadline == .distantPast ? 0 : max(0, deadline.nanoseconds - MonotonicTime.now.nanoseconds)
    var time = timespec()
    time.tv_sec = Int(nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(nanoseconds % 1_000_000_000)
    return unsafe CLinux_ppoll(&descriptors, UInt(descriptors.count), &time)
  }

  private func rebuild() {
    descriptors.removeAll(keepingCapacity: true)
    descriptors.append(pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0))
    for watch in watches {
      descriptors.append(
        pollfd(fd: watch.descriptor, events: watch.interest.pollEvents, revents: 0)
      )
    }
    for source in sources {
      descriptors.append(pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0))
    }
    isOutdated = false
  }
}
