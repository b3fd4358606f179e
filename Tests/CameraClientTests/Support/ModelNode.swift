import CameraClient
import CameraProtocol

/// A model of a node without sockets: it publishes on a few topics, and its log forgets soon.
struct ModelNode {
  typealias Tracker = EventTracker<Event, Snapshot>

  struct Event: Hashable {
    var epoch: Int
    var topic: String
    var sequence: UInt64
  }

  struct Snapshot: Hashable {
    var epoch: Int
    var numbers: [String: UInt64]
  }

  enum Publication {
    case event(Event, Epoch)
    case heartbeat([String: UInt64], Epoch)
  }

  enum Answer {
    case snapshot(Snapshot, Epoch)
    case replay([Event], hasMore: Bool, Epoch)
    case failure(CameraBusError, ofReplay: Bool)
  }

  static let topics = ["event/a/state/", "event/a/capture/", "event/b/state/"]
  private static let keptLimit: UInt64 = 12
  private static let replayLimit = 5

  private(set) var epochNumber = 0
  private(set) var epoch = Epoch.random()
  private(set) var numbers: [String: UInt64] = [:]

  mutating func restart() {
    epochNumber += 1
    epoch = .random()
    numbers = [:]
  }

  /// The last event of a topic that the log has forgotten.
  func forgotten(_ topic: String) -> UInt64 {
    let last = numbers[topic] ?? 0
    return last > Self.keptLimit ? last - Self.keptLimit : 0
  }

  mutating func publish(on topic: String) -> Publication {
    numbers[topic, default: 0] += 1
    return .event(
      Event(epoch: epochNumber, topic: topic, sequence: numbers[topic] ?? 0), epoch)
  }

  var heartbeat: Publication { .heartbeat(numbers, epoch) }

  func answer(_ request: Tracker.Request) -> Answer {
    switch request {
    case .snapshot: return .snapshot(Snapshot(epoch: epochNumber, numbers: numbers), epoch)
    case .replay(let ranges):
      let kept = ranges.flatMap { range in
        range.numbers.filter {
          $0 > forgotten(range.topic) && $0 <= numbers[range.topic] ?? 0
        }
        .map { Event(epoch: epochNumber, topic: range.topic, sequence: $0) }
      }
      return .replay(
        Array(kept.prefix(Self.replayLimit)), hasMore: kept.count > Self.replayLimit, epoch)
    }
  }
}

extension ModelNode.Tracker {
  mutating func take(_ publication: ModelNode.Publication) {
    switch publication {
    case .event(let event, let epoch): published(Arrival(event), of: epoch)
    case .heartbeat(let numbers, let epoch): heartbeat(numbers, of: epoch)
    }
  }

  /// - Returns: False when the tracker gives up.
  mutating func take(_ answer: ModelNode.Answer) -> Bool {
    switch answer {
    case .snapshot(let snapshot, let epoch):
      self.snapshot(snapshot, including: snapshot.numbers, of: epoch)
    case .replay(let events, let hasMore, let epoch):
      replayed(events.map(Arrival.init), hasMore: hasMore, of: epoch)
    case .failure(let error, true): replayFailed(error)
    case .failure(let error, false): return snapshotFailed(error)
    }
    return true
  }
}

extension ModelNode.Tracker.Arrival {
  init(_ event: ModelNode.Event) {
    self.init(event, on: event.topic, event.sequence, sent: Int64(event.sequence))
  }
}
