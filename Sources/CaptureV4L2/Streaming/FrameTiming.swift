import Capture
import OperatingSystem

/// Times the frames of a stream: what each stamp marks, and when the frame was exposed. It belongs
/// to the frame loop.
struct FrameTiming {
  private let evidence: ExposureStartEvidence?
  private let exposure: ExposureControls
  private var settled = SettledExposure()
  private var interval: FrameInterval

  /// - Parameter promisedInterval: The interval of the rate that the driver reports, in
  ///   nanoseconds; nil if it reports none.
  init(evidence: ExposureStartEvidence?, exposure: ExposureControls, promisedInterval: Int64?) {
    self.evidence = evidence
    self.exposure = exposure
    interval = FrameInterval(promised: promisedInterval)
  }

  func controlChanged(_ control: ControlID) {
    if exposure.depend(on: control) { exposure.invalidate() }
  }

  /// The next frame's time.
  mutating func time(
    _ stamp: DriverTimestamp, sequence: UInt64, dequeued: MonotonicTime
  ) -> (timestamp: MonotonicTime, marks: TimestampMark, exposure: ExposureBounds) {
    let (timestamp, marks) = stamp.resolved(dequeued: dequeued, evidence: evidence)
    let bounds = ExposureBounds(
      timestamp: timestamp,
      marks: marks,
      duration: settled.next(exposure.current),
      interval: interval.advance(to: sequence, at: timestamp),
      dequeued: dequeued
    )
    return (timestamp, marks, bounds)
  }
}
