import CameraClient
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import CameraRig

/// Exchanges with real nodes over links that delay and lose, recorded by `Tests/Rig/run clocks`
/// with what is true. The Python client is tested with the same.
struct RecordedExchangeTests {
  private static let recordings = Result {
    try JSONDecoder().decode(
      Recordings.self, from: Repository.contents(of: "Tests/Rig/exchanges.json")
    ).recordings
  }

  @Test func `The truth lies within the bounds of recorded exchanges, also if clocks drift`() throws
  {
    let recordings = try Self.recordings.get()
    #expect(recordings.count == 4)
    for recording in recordings {
      for drift: Int64 in [-99, 0, 99] {
        var estimate = ClockEstimate(ownClockID: "own")
        for reading in recording.readings(drift: drift) {
          #expect(estimate.add(reading) == .consistent)
          for distance in [-60, -1, 0, 1, 60] {
            let moment = reading.received + .seconds(distance)
            let offset = try #require(estimate.offset(at: moment))
            let truth = recording.offset(at: moment, drift: drift)
            #expect(offset.least <= truth && truth <= offset.most, "\(recording.link) \(drift)")
          }
        }
      }
    }
  }

  @Test func `The bounds of recorded exchanges are those of the Python client, and narrow`() throws
  {
    for recording in try Self.recordings.get() {
      var estimate = ClockEstimate(ownClockID: "own")
      for reading in recording.readings(drift: 0) { estimate.add(reading) }
      let offset = try #require(estimate.offset(at: recording.end))
      #expect(
        offset
          == ClockOffset(least: .nanoseconds(recording.least), most: .nanoseconds(recording.most)))
      #expect(offset.most - offset.least <= .nanoseconds(2 * recording.ideal), "\(recording.link)")
    }
  }

  @Test func `Wall clocks with bounds make the bounds of recorded exchanges narrower`() throws {
    for recording in try Self.recordings.get() {
      var estimate = ClockEstimate(ownClockID: "own")
      for var reading in recording.readings(drift: 0) {
        reading.answered.wallError = .microseconds(100)
        let own = ClockEstimate.WallClock(
          offset: .nanoseconds(recording.ownWall), error: .microseconds(100))
        #expect(estimate.add(reading, own: own) == .consistent && !estimate.isWallWrong)
      }
      let offset = try #require(estimate.offset(at: recording.end))
      let truth = Duration.nanoseconds(recording.truth)
      #expect(offset.least <= truth && truth <= offset.most, "\(recording.link)")
      // The bounds of the offset are of different moments, between which clocks may drift.
      #expect(offset.most - offset.least <= .microseconds(420), "\(recording.link)")
    }
  }
}

private struct Recordings: Decodable {
  let recordings: [Recording]
}

/// The exchanges with one node. All numbers are nanoseconds.
private struct Recording: Decodable {
  let link: String
  /// By how much the node's clock is ahead.
  let truth: Int64
  /// This machine's wall clock minus its monotonic clock.
  let ownWall: Int64
  /// The width of what an estimator could know that knew when the link had the bytes.
  let ideal: Int64
  /// When the Python client knew that the offset is between ``least`` and ``most``.
  let at: Int64
  let least: Int64
  let most: Int64
  /// Each is sent, read, answered, wall, received.
  let exchanges: [[Int64]]

  private enum CodingKeys: String, CodingKey {
    case link, truth, ideal, at, least, most, exchanges
    case ownWall = "own_wall"
  }

  var end: MonotonicInstant { MonotonicInstant(nanoseconds: at) }

  private var start: Int64 { exchanges.first?.first ?? 0 }

  /// The offset at a moment if the node's clock ran so many millionths too fast.
  func offset(at moment: MonotonicInstant, drift: Int64) -> Duration {
    .nanoseconds(truth + (moment.nanoseconds - start) * drift / 1_000_000)
  }

  /// The exchanges as they would be if the node's clock ran so many millionths too fast.
  func readings(drift: Int64) -> [ClockReading] {
    exchanges.map { numbers in
      func show(_ moment: Int64) -> MonotonicInstant {
        let actual = MonotonicInstant(nanoseconds: moment - truth)
        return actual + offset(at: actual, drift: drift)
      }
      return ClockReading(
        sent: MonotonicInstant(nanoseconds: numbers[0]), read: show(numbers[1]),
        answered: Timestamp(
          monotonic: show(numbers[2]), wall: WallInstant(nanoseconds: numbers[3])),
        received: MonotonicInstant(nanoseconds: numbers[4]), clockID: "node")
    }
  }
}
