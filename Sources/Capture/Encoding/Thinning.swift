package import OperatingSystem

/// Keeps one of so many frames, or so many a second: whichever are fewer. Pure.
///
/// Only one of the two rules holds at a time, because frames that both had chosen from would not be
/// evenly spaced.
package struct Thinning: Sendable {
  /// Why a frame is left out.
  package enum Rule: Sendable {
    /// `divisor`: the machine is hard pressed.
    case pressure
    /// `limit`: somebody asked for fewer.
    case rate
  }

  /// One of so many is kept, by their numbers, so that a lost frame does not shift the others.
  package var divisor: UInt64 = 1
  /// The most frames a second; nil for all.
  package var limit: Double? {
    didSet { if limit != oldValue { (thinner, interval) = (nil, nil) } }
  }
  private var last: UInt64?
  private var thinner: FrameThinner?
  /// That of the frames which `thinner` is made for.
  private var interval: Int64?

  package init() {}

  /// - Parameter interval: Nanoseconds from one frame to the next.
  /// - Returns: The rule that leaves the frame out; nil if it is kept.
  package mutating func omission(
    of sequence: UInt64, at time: MonotonicTime, every interval: Int64
  ) -> Rule? {
    if let limit {
      if interval != self.interval {
        self.interval = interval
        thinner = FrameThinner(limit: limit, of: FrameRate(framesPerSecond: 1e9 / Double(interval)))
      }
      if thinner != nil, Double(divisor) * Double(interval) <= 1e9 / limit {
        return thinner?.keeps(time) == true ? nil : .rate
      }
    }
    guard divisor > 1 else { return nil }
    let group = sequence / divisor
    defer { last = group }
    return group == last ? .pressure : nil
  }
}
