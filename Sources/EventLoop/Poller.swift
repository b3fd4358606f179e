import CLinux
import Glibc
import OperatingSystem

// Sendable: touched on the loop's thread alone; who comes from outside calls `checkIsolated` first.
/// What a loop waits on, and the one system call it waits in.
final class Poller: @unchecked Sendable {
  private let wakeUp: Int32
  private var watches: [Watch] = []
  private var sources: [any EventSource] = []
  /// As the kernel wants it: the wake-up, the watches, the sources.
  private var descriptors: [pollfd] = []
  private var isOutdated = true
  private var ready: [Watch] = []

  init(wakeUp: Int32) {
    self.wakeUp = wakeUp
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

  /// Gives every source that has work a turn; true when one had. One that is removed meanwhile makes a later one miss
  /// its turn, which it gets next.
  func processSources() -> Bool {
    var didWork = false
    var index = 0
    while index < sources.count {
      let source = sources[index]
      if source.hasWork() {
        source.process()
        didWork = true
      }
      index += 1
    }
    return didWork
  }

  /// Sleeps until a descriptor is ready or the moment has come, then calls the handlers of the ready watches.
  /// - Parameter deadline: nil for no end.
  /// - Returns: whether the wake-up is among what was ready.
  func wait(until deadline: MonotonicTime?) -> Bool {
    if isOutdated { rebuild() }
    guard poll(until: deadline) > 0 else { return false }
    // First all are found: a handler can change what there is to be watched.
    for place in 0..<descriptors.count - 1 where descriptors[place + 1].revents != 0 {
      if place < watches.count {
        ready.append(watches[place])
      } else {
        sources[place - watches.count].descriptorBecameReadable()
      }
    }
    if !ready.isEmpty {
      for watch in ready { watch.fire() }
      ready.removeAll(keepingCapacity: true)
    }
    return descriptors[0].revents != 0
  }

  /// A signal that interrupts the sleep is a wake-up for nothing, as the caller's next round finds out.
  private func poll(until deadline: MonotonicTime?) -> Int32 {
    guard let deadline else {
      return unsafe CLinux_ppoll(&descriptors, UInt(descriptors.count), nil)
    }
    // Not by `Duration`, whose arithmetic is wide and slow.
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
