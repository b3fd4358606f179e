import Testing

@testable import CameraNode

struct EventLogTests {
  /// A log of `count` events on each of two topics, which alternate.
  private func log(_ count: UInt64, limits: EventLog.Limits = EventLog.Limits()) -> EventLog {
    var log = EventLog(limits: limits)
    for number in stride(from: UInt64(1), through: count, by: 1) {
      for topic in ["a", "b"] {
        log.append(topic, number, header: [UInt8(number)], payload: Array(topic.utf8))
      }
    }
    return log
  }

  private func range(_ topic: String, _ numbers: ClosedRange<UInt64>) -> EventLog.TopicRange {
    EventLog.TopicRange(topic: topic, numbers: numbers)
  }

  private func names(_ events: [EventLog.Entry]) -> [String] {
    events.map { "\($0.topic)\($0.sequence)" }
  }

  @Test func `Replayed events are unchanged and in their original order`() {
    let (events, hasMore) = log(4).replay([range("b", 2...3), range("a", 3...4)], upTo: 1000)
    #expect(names(events) == ["b2", "a3", "b3", "a4"])
    #expect(events.first?.header == [2])
    #expect(events.first?.payload == Array("b".utf8))
    #expect(!hasMore)
  }

  @Test(arguments: [
    ([1...1, 1...2, 2...2], ["a1", "a2"]),
    ([3...UInt64.max], ["a3", "a4"]),
    ([5...9, 100...UInt64.max], []),
    ([1...UInt64.max, 1...UInt64.max], ["a1", "a2", "a3", "a4"]),
  ])
  func `Ranges may overlap and go beyond what there is`(
    numbers: [ClosedRange<UInt64>], expected: [String]
  ) {
    let (events, hasMore) = log(4).replay(numbers.map { range("a", $0) }, upTo: 1000)
    #expect(names(events) == expected)
    #expect(!hasMore)
  }

  @Test func `A camera that went and came back goes on with later numbers`() {
    var log = log(2)
    log.append("a", 7, header: [], payload: [])
    #expect(names(log.replay([range("a", 2...9)], upTo: 1000).events) == ["a2", "a7"])
    #expect(names(log.replay([range("a", 3...6)], upTo: 1000).events) == [])
    #expect(names(log.replay([range("a", 5...UInt64.max)], upTo: 1000).events) == ["a7"])
  }

  @Test func `A topic without publications has no events`() {
    #expect(log(1).replay([range("c", 1...9)], upTo: 1000).events.isEmpty)
  }

  @Test func `A topic with too many events loses its oldest ones`() {
    let log = log(9, limits: EventLog.Limits(events: 3))
    #expect(names(log.replay([range("a", 1...9)], upTo: 1000).events) == ["a7", "a8", "a9"])
  }

  @Test func `A topic with too many bytes loses its oldest events`() {
    // Each event has a letter of topic, a byte of header and a byte of payload.
    let log = log(9, limits: EventLog.Limits(byteCount: 7))
    #expect(names(log.replay([range("a", 1...9)], upTo: 1000).events) == ["a8", "a9"])
  }

  @Test func `A busy topic does not push out events of another topic`() {
    var log = EventLog(limits: EventLog.Limits(events: 3))
    log.append("quiet", 1, header: [], payload: [])
    for number in UInt64(1)...100 { log.append("busy", number, header: [], payload: []) }
    #expect(names(log.replay([range("quiet", 1...1)], upTo: 1000).events) == ["quiet1"])
  }

  @Test func `A full reply says that there are more events, which come when asked for`() {
    let log = log(4)
    let first = log.replay([range("a", 1...4)], upTo: 7)
    #expect(names(first.events) == ["a1", "a2"])
    #expect(first.hasMore)
    let second = log.replay([range("a", 3...4)], upTo: 7)
    #expect(names(second.events) == ["a3", "a4"])
    #expect(!second.hasMore)
  }

  @Test func `An event larger than the reply's room comes alone`() {
    let (events, hasMore) = log(2).replay([range("a", 1...2)], upTo: 1)
    #expect(names(events) == ["a1"])
    #expect(hasMore)
  }
}
