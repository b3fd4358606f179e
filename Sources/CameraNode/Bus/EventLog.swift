import CameraProtocol
import DequeModule

/// Keeps the newest events of each topic for monitors that have lost some.
///
/// Each topic has its own share, so that frequent events do not displace rare ones. Pure; bounded
/// in number and bytes per topic.
struct EventLog {
  /// A publication as it was sent.
  struct Entry {
    /// Counts the publications of all topics, so that a replay can keep their order.
    fileprivate var order: UInt64
    var topic: String
    var sequence: UInt64
    var header: [UInt8]
    var payload: [UInt8]

    fileprivate var byteCount: Int { topic.utf8.count + header.count + payload.count }
  }

  /// A range of one topic's sequence numbers.
  struct TopicRange {
    var topic: String
    var numbers: ClosedRange<UInt64>
  }

  struct Limits {
    /// The most events of one topic, and the most bytes of these events together.
    var events = 1024
    var byteCount = 1 << 20
  }

  /// The events of one topic.
  private struct Share {
    private var entries: Deque<Entry> = []
    private var byteCount = 0

    mutating func append(_ entry: Entry, _ limits: Limits) {
      entries.append(entry)
      byteCount += entry.byteCount
      while entries.count > limits.events || byteCount > limits.byteCount,
        let oldest = entries.first
      {
        byteCount -= oldest.byteCount
        entries.removeFirst()
      }
    }

    func entries(in numbers: RangeSet<UInt64>) -> [Entry] {
      entries.filter { numbers.contains($0.sequence) }
    }
  }

  private let limits: Limits
  private var shares: [String: Share] = [:]
  private var order: UInt64 = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Adds an event. The sequence numbers of a topic have a gap where its camera went and came back.
  mutating func append(_ topic: String, _ sequence: UInt64, header: [UInt8], payload: [UInt8]) {
    order += 1
    let entry = Entry(
      order: order, topic: topic, sequence: sequence, header: header, payload: payload)
    shares[topic, default: Share()].append(entry, limits)
  }

  /// The events of some ranges that are still kept, in the order in which they were published.
  /// - Parameter byteCount: The most bytes to return; the first event is returned whatever its
  ///   size.
  /// - Returns: The events, and whether there are more.
  func replay(_ ranges: [TopicRange], upTo byteCount: Int) -> (events: [Entry], hasMore: Bool) {
    // Ranges may overlap.
    var wanted: [String: RangeSet<UInt64>] = [:]
    for range in ranges {
      let end = range.numbers.upperBound.addingReportingOverflow(1)
      wanted[range.topic, default: RangeSet()]
        .insert(contentsOf: range.numbers.lowerBound..<(end.overflow ? .max : end.partialValue))
    }
    let found = wanted.flatMap { topic, numbers in shares[topic]?.entries(in: numbers) ?? [] }
      .sorted { $0.order < $1.order }
    var room = byteCount
    let fitting = found.prefix { entry in
      room -= entry.byteCount
      return room >= 0
    }
    let events = fitting.isEmpty ? found.prefix(1) : fitting
    return (Array(events), events.count < found.count)
  }
}
