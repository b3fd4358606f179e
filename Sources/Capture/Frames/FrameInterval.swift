package import OperatingSystem

/// The longest time that the camera may have taken for the newest frame of a stream.
///
/// A camera may be slower than the rate it promised: many give long exposures a lower rate when it
/// is dark. So the time since the frame before counts too.
package struct FrameInterval: Sendable {
  /// By the driver's rate, in nanoseconds.
  package let promised: Int64
  private var last: (sequence: UInt64, time: MonotonicTime)?

  /// - Parameter promised: The interval of the rate that the driver reports, in nanoseconds; nil if
  ///   it reports none.
  package init(promised: Int64?) {
    self.promised = promised ?? PipelineLimits.assumedInterval
  }

  /// Takes the newest frame's number and timestamp, and returns the interval in nanoseconds.
  package mutating func advance(to sequence: UInt64, at time: MonotonicTime) -> Int64 {
    defer { last = (sequence, time) }
    guard let last, sequence > last.sequence else { return promised }
    let elapsed = max(0, (time - last.time).wholeNanoseconds)
    let frames = Int64(clamping: sequence - last.sequence)
    // Rounded up.
    return max(promised, elapsed / frames + (elapsed % frames == 0 ? 0 : 1))
  }
}
