import Capture
import OperatingSystem

/// Decides which stamps of a driver are believed. It belongs to the frame loop.
///
/// Stamps go forward: one that goes back or stands still is not believed. Nor is one that is too
/// old: the node empties the driver's queue each time, so a frame that it finds now was finished
/// after it looked last.
struct StampBelief {
  /// How long a camera may hold back a finished picture.
  private static let holdingBack = Duration.seconds(1)

  private let evidence: ExposureStartEvidence?
  /// The last stamp that was believed, and when the last frame was dequeued.
  private var last: MonotonicTime?
  private var lastDequeued: MonotonicTime?

  init(evidence: ExposureStartEvidence?) { self.evidence = evidence }

  /// The next frame's time, and what it marks.
  /// - Parameters:
  ///   - exposure: The exposure time, in nanoseconds; nil if it is not known.
  ///   - interval: Between two frames, in nanoseconds.
  mutating func time(
    _ stamp: DriverTimestamp, dequeued: MonotonicTime, exposure: Int64?, interval: Int64
  ) -> (time: MonotonicTime, marks: TimestampMark) {
    defer { lastDequeued = dequeued }
    let (time, marks) = stamp.resolved(
      dequeued: dequeued, evidence: evidence,
      ages: ages(dequeued: dequeued, exposure: exposure ?? 0, interval: interval))
    guard marks != .dequeue else { return (time, marks) }
    if let last, time <= last { return (dequeued, .dequeue) }
    last = time
    return (time, marks)
  }

  private func ages(
    dequeued: MonotonicTime, exposure: Int64, interval: Int64
  ) -> ClosedRange<Duration> {
    let usual = DriverTimestamp.plausibleAge
    guard let lastDequeued else { return usual }
    // A stamp may mark the start of the exposure, and transfer takes up to an interval.
    let oldest =
      (dequeued - lastDequeued) + Self.holdingBack + .nanoseconds(exposure)
      + .nanoseconds(interval) * 2
    return usual.lowerBound...max(usual.lowerBound, oldest)
  }
}
