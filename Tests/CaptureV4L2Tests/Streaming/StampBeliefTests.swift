import CVideo4Linux
import Capture
import OperatingSystem
import Testing

@testable import CaptureV4L2

/// Stamps of a camera of 20 frames a second, dequeued 10 ms after each.
struct StampBeliefTests {
  private static let interval: Int64 = 50_000_000
  private var belief = StampBelief(evidence: nil)

  /// The stamp of a frame, which is dequeued at a moment.
  private mutating func isBelieved(
    _ milliseconds: Int64, dequeued: Int64, exposure: Int64? = nil
  ) -> Bool {
    let stamp = DriverTimestamp(
      seconds: milliseconds / 1000, microseconds: milliseconds % 1000 * 1000,
      flags: V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC.bits)
    let moment = MonotonicTime(nanoseconds: dequeued * 1_000_000)
    let (time, marks) = belief.time(
      stamp, dequeued: moment, exposure: exposure, interval: Self.interval)
    #expect((time == moment) == (marks == .dequeue))
    return marks != .dequeue
  }

  @Test mutating func `Stamps that go forward are believed`() {
    for number in 0..<40 as Range<Int64> {
      #expect(isBelieved(20_000 + 50 * number, dequeued: 20_010 + 50 * number))
    }
  }

  @Test mutating func `A stamp that goes back is not, and those after it are again`() {
    #expect(isBelieved(20_000, dequeued: 20_010))
    #expect(!isBelieved(19_990, dequeued: 20_060))
    #expect(isBelieved(20_100, dequeued: 20_110))
  }

  @Test mutating func `A stamp that stands still is believed once`() {
    #expect(isBelieved(20_000, dequeued: 20_010))
    for number in 1..<9 as Range<Int64> {
      #expect(!isBelieved(20_000, dequeued: 20_010 + 50 * number))
    }
  }

  @Test mutating func `Stamps that lie seconds behind are not believed`() {
    _ = isBelieved(17_000, dequeued: 20_010)
    for number in 1..<9 as Range<Int64> {
      #expect(!isBelieved(17_000 + 50 * number, dequeued: 20_010 + 50 * number))
    }
  }

  @Test mutating func `An old frame is believed if the node did not look for so long`() {
    #expect(isBelieved(20_000, dequeued: 20_010))
    #expect(isBelieved(20_050, dequeued: 27_000))
  }

  @Test mutating func `A long exposure makes an older stamp possible`() {
    #expect(isBelieved(20_000, dequeued: 20_010))
    #expect(isBelieved(20_050, dequeued: 24_060, exposure: 4_000_000_000))
    #expect(isBelieved(20_100, dequeued: 24_110, exposure: 4_000_000_000))
    #expect(!isBelieved(20_150, dequeued: 24_160, exposure: 1_000_000_000))
  }
}
