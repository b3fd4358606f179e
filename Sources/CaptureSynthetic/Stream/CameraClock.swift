package import OperatingSystem

/// The clock with which the camera stamps its frames, and its error.
package struct CameraClock: Hashable, Sendable {
  /// Nanoseconds by which it is ahead of the monotonic clock when streaming starts.
  package var offset: Int64
  /// How much too fast it runs, in millionths.
  package var drift: Double

  package init(offset: Int64 = 0, drift: Double = 0) {
    self.offset = offset
    self.drift = drift
  }

  /// The clock's reading at `time` in a stream that began at `start`.
  package func reading(at time: MonotonicTime, since start: MonotonicTime) -> MonotonicTime {
    let gained = Double((time - start).wholeNanoseconds) * drift / 1_000_000
    return MonotonicTime(nanoseconds: time.nanoseconds + offset + Int64(gained.rounded()))
  }
}
