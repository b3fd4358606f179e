import CVideo4Linux
import Capture
import OperatingSystem

/// The time that a driver wrote on a buffer, with the flags that define its meaning.
struct DriverTimestamp: Hashable {
  var seconds: Int64
  var microseconds: Int64
  /// `V4L2_BUF_FLAG_TIMESTAMP_*` and `V4L2_BUF_FLAG_TSTAMP_SRC_*`.
  var flags: UInt32

  /// The accepted age of a frame when it is dequeued, if nothing is known of the one before. It may
  /// be negative, because some drivers predict the end of the frame and deliver it earlier.
  static let plausibleAge = Duration.seconds(-2)...Duration.seconds(10)

  /// The frame's time on the monotonic clock, and what it marks.
  ///
  /// If the driver uses another clock, or its time is implausible, the result is the time of
  /// dequeueing, which marks that. Without evidence, "start of exposure" proves only that the
  /// exposure of the first pixels was over: drivers with that flag stamp the arrival of the first
  /// bytes.
  func resolved(
    dequeued: MonotonicTime, evidence: ExposureStartEvidence?,
    ages: ClosedRange<Duration> = plausibleAge
  ) -> (time: MonotonicTime, marks: TimestampMark) {
    guard flags & V4L2_BUF_FLAG_TIMESTAMP_MASK.bits == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC.bits,
      let time, ages.contains(dequeued - time)
    else { return (dequeued, .dequeue) }
    let source = flags & V4L2_BUF_FLAG_TSTAMP_SRC_MASK.bits
    guard source == V4L2_BUF_FLAG_TSTAMP_SRC_SOE.bits else { return (time, .frameEnd) }
    return (time, evidence == nil ? .arrival : .exposureStart)
  }

  private var time: MonotonicTime? {
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(microseconds &* 1000)
    return isTooLarge || overflows ? nil : MonotonicTime(nanoseconds: sum)
  }
}
