import CameraClient
import CameraProtocol
import Testing

/// A reader that checks its events against a model of a node: every event of a topic comes once and
/// in order, and a gap comes only for events that the node has forgotten, with their exact number.
struct ModelMonitor {
  private(set) var epoch: Int?
  /// The last number of each topic.
  private(set) var positions: [String: UInt64] = [:]
  /// Where the last gap of each topic ended.
  private var gapEnds: [String: UInt64] = [:]
  /// Topics whose history begins with a gap. Where it begins is not known before their first event.
  private var beginsBehindGap: Set<String> = []
  private(set) var eventCount = 0
  private(set) var gapCount: UInt64 = 0
  private let hasHistory: Bool

  init(hasHistory: Bool) {
    self.hasHistory = hasHistory
  }

  mutating func take(_ output: ModelNode.Tracker.Output, of node: ModelNode) {
    switch output {
    case .snapshot(let snapshot): take(snapshot, of: node)
    case .event(let event): take(event, of: node)
    case .gap(let count, let topic): takeGap(count, topic, of: node)
    case .nodeRestarted:
      (epoch, positions, gapEnds) = (nil, [:], [:])
      isBehindRestart = true
    case .disconnected:
      #expect(isConnected)
      isConnected = false
    case .reconnected:
      #expect(!isConnected)
      isConnected = true
    }
  }

  private var isConnected = true
  private var isBehindRestart = false
  private var lastEpoch = -1

  /// The first element of a start of the node shows its epoch.
  private mutating func enter(_ epoch: Int, of node: ModelNode) {
    if self.epoch == nil {
      #expect(epoch > lastEpoch, "starts of the node come in their order")
      (self.epoch, lastEpoch) = (epoch, epoch)
      for (topic, end) in gapEnds { checkGap(of: topic, until: end, of: node) }
    }
    #expect(self.epoch == epoch)
  }

  private mutating func take(_ event: ModelNode.Event, of node: ModelNode) {
    // Before its first snapshot, a reader gets only the history.
    #expect(epoch != nil || hasHistory || isBehindRestart)
    if takesWhatIsKept, positions[event.topic] == nil {
      positions[event.topic] = event.sequence - 1
    }
    enter(event.epoch, of: node)
    #expect(event.sequence == positions[event.topic, default: 0] + 1)
    positions[event.topic] = event.sequence
    eventCount += 1
  }

  private mutating func takeGap(_ count: UInt64, _ topic: String, of node: ModelNode) {
    gapCount += count
    if takesWhatIsKept, positions[topic] == nil {
      beginsBehindGap.insert(topic)
      return
    }
    let end = positions[topic, default: 0] + count
    positions[topic] = end
    gapEnds[topic] = end
    if epoch != nil { checkGap(of: topic, until: end, of: node) }
  }

  private func checkGap(of topic: String, until end: UInt64, of node: ModelNode) {
    guard epoch == node.epochNumber else { return }
    #expect(end <= node.forgotten(topic), "events that the node keeps are not lost")
  }

  private mutating func take(_ snapshot: ModelNode.Snapshot, of node: ModelNode) {
    let isFirst = epoch == nil && !isBehindRestart
    enter(snapshot.epoch, of: node)
    for (topic, number) in snapshot.numbers {
      if isFirst, !hasHistory { positions[topic] = number }
      if positions[topic] == nil, beginsBehindGap.contains(topic) { continue }
      // The node may have forgotten a topic's whole history.
      let position = positions[topic] ?? (takesWhatIsKept ? number : 0)
      let isBehindGap = position > number && gapEnds[topic] == position
      #expect(
        position == number || isBehindGap, "a snapshot comes after every event that it includes")
      positions[topic] = position
    }
  }

  /// Whether the reader began in the middle of this start and wants the history that the node
  /// keeps.
  private var takesWhatIsKept: Bool { hasHistory && !isBehindRestart }
}
