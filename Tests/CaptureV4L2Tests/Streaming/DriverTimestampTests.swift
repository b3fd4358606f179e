import CVideo4Linux
import Capture
import OperatingSystem
import Testing

@testable import CaptureV4L2

@Suite struct DriverTimestampTests {
  private static let monotonic = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC.bits
  private static let startOfExposure = V4L2_BUF_FLAG_TSTAMP_SRC_SOE.bits
  private let dequeued = MonotonicTime(nanoseconds: 100_000_500_000)

  @Test("A monotonic time becomes the frame's time in nanoseconds")
  func monotonicTime() {
    let stamp = DriverTimestamp(seconds: 99, microseconds: 999_999, flags: Self.monotonic)
    let (time, marks) = stamp.resolved(dequeued: dequeued, evidence: nil)
    #expect(time.nanoseconds == 99_999_999_000)
    #expect(marks == .frameEnd)
  }

  @Test(
    "The flag for the start of exposure is believed with evidence, and else proves an arrival",
    arguments: [
      ("vivid", .exposureStart), ("uvcvideo", .arrival), ("vivid2", .arrival),
    ] as [(String, TimestampMark)])
  func source(driver: String, expected: TimestampMark) {
    let evidence = ExposureStartEvidence.of(driver: driver, card: "any")
    let marked = DriverTimestamp(
      seconds: 100, microseconds: 0, flags: Self.monotonic | Self.startOfExposure)
    #expect(marked.resolved(dequeued: dequeued, evidence: evidence).marks == expected)
    let unmarked = DriverTimestamp(seconds: 100, microseconds: 0, flags: Self.monotonic)
    #expect(unmarked.resolved(dequeued: dequeued, evidence: evidence).marks == .frameEnd)
  }

  @Test("A time on another clock is replaced by the time of dequeueing")
  func otherClock() {
    let copied = DriverTimestamp(
      seconds: 100,
      microseconds: 0,
      flags: V4L2_BUF_FLAG_TIMESTAMP_COPY.bits
    )
    #expect(copied.resolved(dequeued: dequeued, evidence: nil) == (dequeued, .dequeue))
    let unknown = DriverTimestamp(seconds: 100, microseconds: 0, flags: 0)
    #expect(unknown.resolved(dequeued: dequeued, evidence: nil) == (dequeued, .dequeue))
  }

  @Test("A time shortly after dequeueing is accepted as a prediction", arguments: [100, 101])
  func ahead(seconds: Int64) {
    let stamp = DriverTimestamp(seconds: seconds, microseconds: 0, flags: Self.monotonic)
    #expect(stamp.resolved(dequeued: dequeued, evidence: nil).marks == .frameEnd)
  }

  @Test(
    "An impossible time is replaced by the time of dequeueing", arguments: [0, 89, 103, .max, .min])
  func impossible(seconds: Int64) {
    let stamp = DriverTimestamp(seconds: seconds, microseconds: 999_999, flags: Self.monotonic)
    #expect(stamp.resolved(dequeued: dequeued, evidence: nil) == (dequeued, .dequeue))
  }
}
