import Capture
import OperatingSystem

/// Times the frames of a stream: what each stamp marks, and when the frame was exposed. It belongs
/// to the frame loop.
struct FrameTiming {
  private var belief: StampBelief
  private let facts: FactControls
  private var settled = SettledFacts()
  private var interval: FrameInterval

  /// - Parameter promisedInterval: The interval of the rate that the driver reports, in
  ///   nanoseconds; nil if it reports none.
  init(evidence: ExposureStartEvidence?, facts: FactControls, promisedInterval: Int64?) {
    belief = StampBelief(evidence: evidence)
    self.facts = facts
    interval = FrameInterval(promised: promisedInterval)
  }

  func controlChanged(_ control: ControlID) {
    if facts.depend(on: control) { facts.invalidate() }
  }

  /// The next frame's time and facts.
  mutating func time(
    _ stamp: DriverTimestamp, sequence: UInt64, dequeued: MonotonicTime
  ) -> (timestamp: MonotonicTime, marks: TimestampMark, exposure: ExposureBounds, facts: FrameFacts)
  {
    let facts = settled.next(facts.current)
    let (timestamp, marks) = belief.time(
      stamp, dequeued: dequeued, exposure: facts.exposure, interval: interval.promised)
    let bounds = ExposureBounds(
      timestamp: timestamp,
      marks: marks,
      duration: facts.exposure,
      interval: interval.advance(to: sequence, at: timestamp),
      dequeued: dequeued
    )
    return (timestamp, marks, bounds, facts)
  }
}
