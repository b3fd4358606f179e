import Capture
import OperatingSystem

/// Measures for which part of the frames the node comes too late. Pure.
struct LatenessMeter: Sendable {
  /// From this part on a level rises: what FAIR leaves out. So the streams have no fewer frames
  /// than before, but evenly spaced ones, and the machine has less to do.
  private static let share = 0.5
  /// The fewest frames of which a part says something.
  private static let minimum: UInt64 = 20

  private let window: Duration
  private var last: (counts: FrameLateness.Counts, time: MonotonicTime)?

  /// - Parameter window: The shortest time over which it measures.
  init(window: Duration) {
    self.window = window
  }

  /// Begins a new time to measure.
  mutating func begin(_ counts: FrameLateness.Counts, at now: MonotonicTime) {
    last = (counts, now)
  }

  /// What was too late since the window began, and begins the next one; nil before its end and
  /// while there are too few frames.
  ///
  /// - Parameter level: The present level. Frames are counted behind its thinning, so a node that
  ///   is still too late needs the next level. It is never one that interrupts cameras.
  mutating func reading(
    _ counts: FrameLateness.Counts, at now: MonotonicTime, above level: PressureLevel
  ) -> PressureReading? {
    guard let before = last else {
      begin(counts, at: now)
      return nil
    }
    guard now - before.time >= window else { return nil }
    let pictures = Self.share(
      of: counts.latePictures &- before.counts.latePictures,
      in: counts.pictures &- before.counts.pictures)
    let frames = Self.share(
      of: counts.skippedFrames &- before.counts.skippedFrames,
      in: counts.frames &- before.counts.frames)
    guard let worst = [pictures, frames].compactMap(\.self).max() else { return nil }
    begin(counts, at: now)
    let next = PressureLevel(rawValue: level.rawValue + 1) ?? level
    let percent = Int((worst * 100).rounded())
    return PressureReading(
      worst >= Self.share ? min(next, .serious) : .nominal,
      worst == pictures
        ? "encoders are free too late for \(percent) % of the pictures"
        : "the node comes too late for \(percent) % of its cameras' frames")
  }

  private static func share(of late: UInt64, in all: UInt64) -> Double? {
    all >= minimum ? Double(late) / Double(all) : nil
  }
}
