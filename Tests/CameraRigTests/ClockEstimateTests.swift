import CameraClient
import OperatingSystem
import TestSupport
import Testing

@testable import CameraRig

/// The same simulations as those of the Python client: networks with delay, jitter and asymmetry,
/// and clocks that drift.
struct ClockEstimateTests {
  /// Of a link: delay, jitter, and by how much the way back is longer.
  private static let links: [(Duration, Duration, Duration)] = [
    (.milliseconds(1), .zero, .zero), (.milliseconds(20), .milliseconds(5), .zero),
    (.milliseconds(1), .zero, .milliseconds(2)),
    (.microseconds(100), .milliseconds(50), .milliseconds(1)),
  ]

  @Test func `The truth lies within the bounds, and they are the narrowest`() throws {
    var random = SeededGenerator(for: "ClockEstimateTests")
    for round in 0..<200 {
      let (delay, jitter, asymmetry) = Self.links[round % Self.links.count]
      let clock = NodeClock(&random)
      var (estimate, readings) = (ClockEstimate(ownClockID: "own"), [ClockReading]())
      var moment = MonotonicInstant(nanoseconds: .random(in: 0..<1_000_000_000, using: &random))
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        for _ in 0..<8 {
          let reading = clock.reading(
            sent: moment, out: delay + .random(to: jitter, &random),
            served: .random(to: .milliseconds(1), &random),
            back: delay + asymmetry + .random(to: jitter, &random))
          #expect(estimate.add(reading) == .consistent, "\(random)")
          readings.append(reading)
          moment = reading.received + .random(to: .milliseconds(1), &random)
        }
        moment = moment + .random(to: .seconds(90), &random)
      }
      for _ in 0..<20 {
        let moment = MonotonicInstant(
          nanoseconds: .random(in: 0..<550_000_000_000, using: &random))
        let offset = try #require(estimate.offset(at: moment))
        let truth = clock.offset(at: moment)
        #expect(offset.least <= truth && truth <= offset.most, "\(random)")
        #expect(offset == provable(readings, at: moment), "\(random)")
      }
    }
  }

  @Test func `The middle and its error cover the bounds`() {
    for (least, most) in [(-3, 4), (1, 2), (-5, -2), (7, 7)] {
      let offset = ClockOffset(least: .nanoseconds(least), most: .nanoseconds(most))
      #expect(offset.middle + offset.error >= offset.most)
      #expect(offset.middle - offset.error <= offset.least)
    }
  }

  @Test func `A clock that was changed is noticed and known anew`() throws {
    var estimate = ClockEstimate(ownClockID: "own")
    #expect(estimate.offset(at: .init(nanoseconds: 0)) == nil)
    #expect(estimate.add(reading(0, ahead: .seconds(5))) == .consistent)
    #expect(estimate.add(reading(1, ahead: .seconds(5))) == .consistent)
    #expect(estimate.add(reading(2, ahead: .seconds(8))) == .clockChanged)
    let known = try #require(estimate.offset(at: .init(nanoseconds: 2_000_000_000)))
    #expect(known.most == .seconds(8) + .milliseconds(1))
    #expect(estimate.add(reading(3, ahead: .seconds(8))) == .consistent)
    // Less than the drift is no change.
    #expect(estimate.add(reading(1003, ahead: .milliseconds(8099))) == .consistent)
    #expect(estimate.add(reading(1004, ahead: .milliseconds(8105))) == .clockChanged)
  }

  @Test func `Another clock is known anew`() {
    var estimate = ClockEstimate(ownClockID: "own")
    #expect(estimate.add(reading(0, ahead: .zero)) == .consistent)
    #expect(estimate.add(reading(1, ahead: .zero, name: "after the boot")) == .clockChanged)
    #expect(estimate.add(reading(2, ahead: .zero, name: "after the boot")) == .consistent)
  }

  @Test func `An answer that took longer than its request proves nothing`() {
    var estimate = ClockEstimate(ownClockID: "own")
    let impossible = ClockReading(
      sent: .init(nanoseconds: 0), read: .init(nanoseconds: 0),
      answered: Timestamp(monotonic: .init(nanoseconds: 2), wall: .init(nanoseconds: 0)),
      received: .init(nanoseconds: 1))
    #expect(estimate.add(impossible) == .clockChanged)
    #expect(estimate.offset(at: .init(nanoseconds: 0)) == nil)
  }

  @Test func `Any numbers of a node's are survived`() {
    var estimate = ClockEstimate(ownClockID: "own")
    for numbers in [Int64.min, -1, 0, .max] {
      for other in [Int64.min, 0, .max] {
        var reading = reading(0, ahead: .zero)
        reading.read.nanoseconds = numbers
        reading.answered.monotonic.nanoseconds = other
        reading.answered.wall.nanoseconds = other
        reading.answered.wallError = .nanoseconds(numbers)
        estimate.add(reading, own: .init(offset: .zero, error: .zero))
        _ = estimate.offset(at: .init(nanoseconds: .max))?.middle
      }
    }
  }

  @Test func `The same clock is ahead by nothing, unless that is not true`() throws {
    var estimate = ClockEstimate(ownClockID: "own")
    estimate.add(reading(0, ahead: .zero, name: "own"))
    #expect(
      estimate.offset(at: .init(nanoseconds: .max)) == ClockOffset(least: .zero, most: .zero))
    // A virtual machine that was copied while it ran.
    estimate.add(reading(1, ahead: .milliseconds(7), name: "own"))
    #expect(try #require(estimate.offset(at: .init(nanoseconds: 0))).most > .milliseconds(6))
  }

  @Test func `Wall clocks with bounds are one more bound`() throws {
    let own = ClockEstimate.WallClock(offset: .seconds(1000), error: .microseconds(10))
    var slow = reading(0, ahead: .seconds(5), delay: .milliseconds(20))
    slow.answered.wall.nanoseconds = slow.answered.monotonic.nanoseconds + 995_000_000_000
    slow.answered.wallError = .microseconds(20)
    var estimate = ClockEstimate(ownClockID: "own")
    #expect(estimate.add(slow, own: own) == .consistent && !estimate.isWallWrong)
    let offset = try #require(estimate.offset(at: .init(nanoseconds: 0)))
    #expect(offset.most == .seconds(5) + .microseconds(30))
    #expect(offset.least == .seconds(5) - .microseconds(34))

    // It says nothing without one of the two bounds.
    var unknown = slow
    unknown.answered.wallError = nil
    for (reading, own) in [(unknown, own), (slow, nil)] {
      var estimate = ClockEstimate(ownClockID: "own")
      estimate.add(reading, own: own)
      #expect(
        try #require(estimate.offset(at: .init(nanoseconds: 0))).error > .milliseconds(19))
    }

    // One that contradicts the readings does not count.
    var wrong = slow
    wrong.answered.wall.nanoseconds += 1_000_000_000
    var doubtful = ClockEstimate(ownClockID: "own")
    #expect(doubtful.add(wrong, own: own) == .consistent && doubtful.isWallWrong)
    #expect(
      try #require(doubtful.offset(at: .init(nanoseconds: 0))).most
        == .seconds(5) + .milliseconds(20))
    #expect(doubtful.add(slow, own: own) == .consistent && !doubtful.isWallWrong)
  }

  /// A reading over a link with the same delay on both ways.
  private func reading(
    _ second: Int64, ahead: Duration, delay: Duration = .milliseconds(1), name: String = "node"
  ) -> ClockReading {
    let sent = MonotonicInstant(nanoseconds: second * 1_000_000_000)
    let read = sent + delay + ahead
    return ClockReading(
      sent: sent, read: read,
      answered: Timestamp(monotonic: read, wall: WallInstant(nanoseconds: 0)),
      received: sent + delay + delay, clockID: name)
  }
}

/// What all readings together prove, one by one.
private func provable(_ readings: [ClockReading], at moment: MonotonicInstant) -> ClockOffset? {
  func drift(_ known: MonotonicInstant) -> Duration {
    .nanoseconds((abs(moment.nanoseconds - known.nanoseconds) + 9_999) / 10_000)
  }
  let least = readings.map { $0.answered.monotonic - $0.received - drift($0.received) }.max()
  let most = readings.map { $0.read - $0.sent + drift($0.sent) }.min()
  guard let least, let most else { return nil }
  return ClockOffset(least: least, most: most)
}

/// A clock that is off by a number that changes slowly, within the allowed drift.
private struct NodeClock {
  private var turns: [(moment: Int64, offset: Int64)]

  init(_ random: inout SeededGenerator) {
    let far: Int64 = 1_000_000_000_000_000
    turns = [(0, .random(in: -far...far, using: &random))]
    while let last = turns.last, last.moment < 600_000_000_000 {
      let length = Int64.random(in: 1_000_000_000...60_000_000_000, using: &random)
      let rates = [-100, 100, Double.random(in: -100...100, using: &random)]
      let rate = rates[.random(in: 0..<3, using: &random)]
      turns.append((last.moment + length, last.offset + Int64(Double(length) * rate / 1e6)))
    }
  }

  /// By which it is ahead at a moment of the client's clock.
  func offset(at moment: MonotonicInstant) -> Duration {
    let index = turns.lastIndex { $0.moment <= moment.nanoseconds } ?? 0
    let (start, end) = (turns[index], turns[index + 1])
    let part = Double(moment.nanoseconds - start.moment) / Double(end.moment - start.moment)
    return .nanoseconds(
      start.offset + Int64((Double(end.offset - start.offset) * part).rounded(.down)))
  }

  func reading(
    sent: MonotonicInstant, out: Duration, served: Duration, back: Duration
  ) -> ClockReading {
    func show(_ moment: MonotonicInstant) -> MonotonicInstant { moment + offset(at: moment) }
    return ClockReading(
      sent: sent, read: show(sent + out),
      answered: Timestamp(monotonic: show(sent + out + served), wall: WallInstant(nanoseconds: 0)),
      received: sent + out + served + back, clockID: "node")
  }
}

extension Duration {
  fileprivate static func random(to most: Duration, _ random: inout SeededGenerator) -> Duration {
    .nanoseconds(Int64.random(in: 0...most.wholeNanoseconds, using: &random))
  }
}
