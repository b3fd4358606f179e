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

/// Numbers a stream's frames from 1 by the driver's sequence numbers, so that lost frames take
/// numbers too.
struct FrameNumbering: Hashable, Sendable {
  private var driver: UInt32?
  private(set) var last: UInt64 = 0

  /// Takes the next buffer's number and returns the number of frames missing before it.
  ///
  /// A driver's numbers may start anywhere and wrap around. Numbers that stand still or start over
  /// count as no gap.
  mutating func advance(to number: UInt32) -> Int {
    let step = driver.map { number &- $0 } ?? 1
    driver = number
    let isPlausible = (1..<1 << 31).contains(step)
    last += isPlausible ? UInt64(step) : 1
    return isPlausible ? Int(step) - 1 : 0
  }
}
