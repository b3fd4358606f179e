import CameraClient
import Testing

/// A node that would fill the memory.
extension EventTrackerTests {
  private func arrival(_ sequence: UInt64) -> Tracker.Arrival {
    .init(Int(sequence), on: topic, sequence, sent: 0, byteCount: 100_000)
  }

  @Test mutating func `Ever new topics are ignored when there are many`() {
    join(at: 0)
    for round in 0..<3 {
      let topics = (0..<3000).map { ("event/c\(round)-\($0)/state/", UInt64(0)) }
      tracker.heartbeat(Dictionary(uniqueKeysWithValues: topics), of: epoch)
    }
    #expect(publish(1, on: "event/late/state/") == [])
    #expect(publish(1) == [.event(1)])
  }

  @Test mutating func `Events behind a gap are kept up to a number of bytes`() {
    join(at: 0)
    for sequence in stride(from: UInt64(2), to: 1000, by: 2) {
      tracker.published(arrival(sequence), of: epoch)
    }
    var asked = 0
    var last = steps()
    while case .askEvents? = last.last {
      let numbers = last.flatMap { step -> [UInt64] in
        if case .askEvents(let numbers, _) = step { Array(numbers) } else { [] }
      }
      asked += numbers.count
      let events = numbers.map { Tracker.Arrival(Int($0), on: topic, $0, sent: 0) }
      tracker.replayed(events, hasMore: true, of: epoch)
      last = steps()
    }
    #expect(last.last == .event(998))
    #expect(asked == 998 - Tracker.keptByteLimit / 100_000)
  }

  @Test mutating func `Replays that never bring the next event end`() {
    join(at: 0)
    #expect(heartbeat(1 << 40) == [.askEvents(1...1 << 40)])
    var (sequence, replays) = (UInt64(2), 0)
    var last: Step?
    repeat {
      let events = (0..<3).map { arrival(sequence + 2 * $0) }
      sequence += 6
      replays += 1
      tracker.replayed(events, hasMore: true, of: epoch)
      last = steps().last
    } while last != .askSnapshot && replays < 1000
    #expect(replays < Tracker.keptByteLimit / 300_000 + 10)
  }
}
