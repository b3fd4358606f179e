import CVideo4Linux
import Capture
import EventLoop

/// The time that a driver wrote on a buffer, with the flags that say what it means.
struct DriverTimestamp: Hashable {
  var seconds: Int64
  var microseconds: Int64
  /// `V4L2_BUF_FLAG_TIMESTAMP_*` and `V4L2_BUF_FLAG_TSTAMP_SRC_*`.
  var flags: UInt32

  /// What a time can lie before its dequeueing, for the queue is emptied whenever something is in it; and what it can
  /// lie after it, for some drivers reckon when the frame should end and deliver it sooner.
  private static let plausibleAge = Duration.seconds(-2)...Duration.seconds(10)

  /// The time of the frame on the monotonic clock, and what moment of the exposure it marks.
  ///
  /// A driver without that clock, or one whose clock is plainly wrong, gets the time of dequeueing.
  func resolved(dequeued: MonotonicTime) -> (time: MonotonicTime, marks: TimestampMark) {
    guard flags & V4L2_BUF_FLAG_TIMESTAMP_MASK.bits == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC.bits,
      let time, Self.plausibleAge.contains(dequeued - time)
    else { return (dequeued, .dequeue) }
    let source = flags & V4L2_BUF_FLAG_TSTAMP_SRC_MASK.bits
    return (
      time, source == V4L2_BUF_FLAG_TSTAMP_SRC_SOE.bits ? .startOfExposure : .endOfFrame
    )
  }

  private var time: MonotonicTime? {
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(microseconds &* 1000)
    return isTooLarge || overflows ? nil : MonotonicTime(nanoseconds: sum)
  }
}
