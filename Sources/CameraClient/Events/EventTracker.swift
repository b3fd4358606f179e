package import CameraProtocol
import DequeModule
package import EventLoop

/// What a monitor hears of a node: joins snapshots and publications so that nothing is heard twice and nothing is missed
/// without a word. Pure.
///
/// The rule for late joiners: subscribe, take a snapshot, drop what it includes. A gap, a restart of the node or a
/// silence begins anew with a snapshot. (ZeroMQ guide, chapter 5: Clone.)
package struct EventTracker<Event, Snapshot> {
  package enum Output {
    /// Ask for a snapshot.
    case requestSnapshot
    case snapshot(Snapshot)
    case event(Event)
    case gap(UInt64)
    case nodeRestarted
    case disconnected
    case reconnected
    /// No first snapshot could be had.
    case failed(CameraBusError)
  }

  private struct Pending {
    var topic: String
    var epoch: Epoch
    var sequence: UInt64
    var event: Event
  }

  /// Without a heartbeat for this long, the node is taken for gone.
  package static var silence: Duration { .seconds(3) }
  /// How many events wait for a snapshot; of more, the oldest are dropped and counted.
  package static var pendingLimit: Int { 1024 }

  private let prefix: String
  private var epoch: Epoch?
  /// The last numbers heard of this start of the node; nil before its first snapshot.
  private var last: [String: UInt64]?
  private var pending: Deque<Pending> = []
  private var isAwaitingSnapshot = false
  private var isDisconnected = false
  private var lastHeard: MonotonicTime?

  /// - Parameter prefix: How the topics begin that were subscribed to.
  package init(prefix: String) {
    self.prefix = prefix
  }

  /// When `expire` is to be called; nil when nothing can expire.
  package var deadline: MonotonicTime? {
    isDisconnected ? nil : lastHeard.map { $0 + Self.silence }
  }

  /// The subscription reaches the node.
  package mutating func connected(at now: MonotonicTime) -> [Output] {
    hear(at: now) + beginSnapshot()
  }

  package mutating func published(
    _ event: Event,
    on topic: String,
    _ sequence: UInt64,
    of epoch: Epoch,
    at now: MonotonicTime
  ) -> [Output] {
    let outputs = hear(at: now)
    return outputs + take(Pending(topic: topic, epoch: epoch, sequence: sequence, event: event))
  }

  package mutating func heartbeat(
    _ topics: [String: UInt64],
    of epoch: Epoch,
    at now: MonotonicTime
  ) -> [Output] {
    let outputs = hear(at: now)
    guard !isAwaitingSnapshot, let current = self.epoch else { return outputs }
    guard epoch == current else { return outputs + restart(epoch) }
    let missing = catchUp(to: topics.filter { $0.key.hasPrefix(prefix) })
    return missing == 0 ? outputs : outputs + [.gap(missing)] + beginSnapshot()
  }

  package mutating func snapshot(
    _ snapshot: Snapshot,
    including topics: [String: UInt64],
    of epoch: Epoch
  ) -> [Output] {
    isAwaitingSnapshot = false
    guard !isDisconnected else { return [] }
    var outputs: [Output] = []
    if let known = self.epoch, known != epoch {
      outputs.append(.nodeRestarted)
      last = nil
    }
    self.epoch = epoch
    let waiting = pending.filter { $0.epoch == epoch }
    pending = []
    if last != nil {
      // What the snapshot includes happened before it; only a newcomer was not there.
      for event in waiting where event.sequence <= topics[event.topic] ?? 0 {
        outputs += take(event)
      }
      let missing = catchUp(to: topics)
      if missing > 0 { outputs.append(.gap(missing)) }
    }
    last = topics
    outputs.append(.snapshot(snapshot))
    for event in waiting { outputs += take(event) }
    return outputs
  }

  package mutating func snapshotFailed(_ error: CameraBusError) -> [Output] {
    isAwaitingSnapshot = false
    guard epoch != nil else { return [.failed(error)] }
    return disconnect()
  }

  /// The reader lost events: it needs a snapshot to go on.
  package mutating func readerLostEvents() -> [Output] {
    beginSnapshot()
  }

  package mutating func expire(at now: MonotonicTime) -> [Output] {
    guard let deadline, deadline <= now else { return [] }
    return disconnect()
  }

  // MARK: Steps

  private mutating func take(_ event: Pending) -> [Output] {
    guard !isAwaitingSnapshot, let epoch else {
      pending.append(event)
      // The numbers tell later that it is missing.
      if pending.count > Self.pendingLimit { pending.removeFirst() }
      return []
    }
    guard event.epoch == epoch else {
      let outputs = restart(event.epoch)
      pending.append(event)
      return outputs
    }
    let known = last?[event.topic] ?? 0
    guard event.sequence > known else { return [] }
    last?[event.topic] = event.sequence
    let missing = event.sequence - known - 1
    return missing == 0
      ? [.event(event.event)] : [.gap(missing), .event(event.event)] + beginSnapshot()
  }

  /// Takes the numbers for heard, and returns how many of them were not.
  private mutating func catchUp(to topics: [String: UInt64]) -> UInt64 {
    topics.reduce(into: 0) { missing, topic in
      let known = last?[topic.key] ?? 0
      guard topic.value > known else { return }
      missing += topic.value - known
      last?[topic.key] = topic.value
    }
  }

  private mutating func restart(_ epoch: Epoch) -> [Output] {
    self.epoch = epoch
    last = nil
    return [.nodeRestarted] + beginSnapshot()
  }

  private mutating func beginSnapshot() -> [Output] {
    guard !isAwaitingSnapshot, !isDisconnected else { return [] }
    isAwaitingSnapshot = true
    return [.requestSnapshot]
  }

  private mutating func hear(at now: MonotonicTime) -> [Output] {
    lastHeard = now
    guard isDisconnected else { return [] }
    isDisconnected = false
    return [.reconnected] + beginSnapshot()
  }

  private mutating func disconnect() -> [Output] {
    guard !isDisconnected else { return [] }
    isDisconnected = true
    pending = []
    return [.disconnected]
  }
}
