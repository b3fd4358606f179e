import CameraClient
import TestSupport
import Testing

@testable import CameraRig

struct EstimatedTimeTests {
  private func moment(_ microseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: microseconds * 1000)
  }

  private func reading(_ sent: Int64, ahead: Int64, there: Int64, back: Int64) -> ClockReading {
    let time = moment(sent + there + ahead)
    return ClockReading(
      sent: moment(sent), read: time,
      answered: Timestamp(monotonic: time, wall: .init(nanoseconds: 0)),
      received: moment(sent + there + back), clockID: "node")
  }

  @Test func `The truth lies within the bound, which the arrival narrows`() throws {
    var random = SeededGenerator(for: "EstimatedTimeTests")
    for _ in 0..<200 {
      let ahead = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      var clock = ClockEstimate(ownClockID: "own")
      for round in 0..<4 as Range<Int64> {
        clock.add(
          reading(
            1_000_000 + round * 100_000, ahead: ahead,
            there: .random(in: 0...20_000, using: &random),
            back: .random(in: 0...20_000, using: &random)))
      }
      let truth = Int64.random(in: 0...5_000_000, using: &random)
      let arrived = truth + .random(in: 0...30_000, using: &random)
      let time = EstimatedTime(moment(truth + ahead), arrived: moment(arrived), by: clock)
      let error = try #require(time.error, "\(random)")
      #expect(time.moment - error <= moment(truth) && moment(truth) <= time.moment + error)
      #expect(time.moment + error <= moment(arrived + 1), "\(random)")
      // Two readings of 20 ms each way, and the drift of five seconds.
      #expect(error <= .microseconds(20_500), "\(random)")
    }
  }

  @Test func `Without a clock, or against what it says, a time is that of the arrival`() {
    let unknown = EstimatedTime(moment(5), arrived: moment(7), by: ClockEstimate(ownClockID: ""))
    #expect(unknown == EstimatedTime(moment: moment(7), error: nil))
    var clock = ClockEstimate(ownClockID: "own")
    clock.add(reading(0, ahead: 1_000_000, there: 1, back: 1))
    let later = EstimatedTime(moment(3_000_000), arrived: moment(100), by: clock)
    #expect(later == EstimatedTime(moment: moment(100), error: nil))
  }
}
