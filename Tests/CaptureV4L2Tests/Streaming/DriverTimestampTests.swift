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
    let (time, marks) = stamp.resolved(dequeued: dequeued)
    #expect(time.nanoseconds == 99_999_999_000)
    #expect(marks == .endOfFrame)
  }

  @Test("The driver's flag for the start of exposure is used")
  func source() {
    let stamp = DriverTimestamp(
      seconds: 100,
      microseconds: 0,
      flags: Self.monotonic | Self.startOfExposure
    )
    #expect(stamp.resolved(dequeued: dequeued).marks == .startOfExposure)
  }

  @Test("A time on another clock is replaced by the time of dequeueing")
  func otherClock() {
    let copied = DriverTimestamp(
      seconds: 100,
      microseconds: 0,
      flags: V4L2_BUF_FLAG_TIMESTAMP_COPY.bits
    )
    #expect(copied.resolved(dequeued: dequeued) == (dequeued, .dequeue))
    let unknown = DriverTimestamp(seconds: 100, microseconds: 0, flags: 0)
    #expect(unknown.resolved(dequeued: dequeued) == (dequeued, .dequeue))
  }

  @Test("A time shortly after dequeueing is accepted as a prediction", arguments: [100, 101])
  func ahead(seconds: Int64) {
    let stamp = DriverTimestamp(seconds: seconds, microseconds: 0, flags: Self.monotonic)
    #expect(stamp.resolved(dequeued: dequeued).marks == .endOfFrame)
  }

  @Test(
    "An impossible time is replaced by the time of dequeueing", arguments: [0, 89, 103, .max, .min])
  func impossible(seconds: Int64) {
    let stamp = DriverTimestamp(seconds: seconds, microseconds: 999_999, flags: Self.monotonic)
    #expect(stamp.resolved(dequeued: dequeued) == (dequeued, .dequeue))
  }
}
