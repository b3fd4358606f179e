/// The wall clock beside the monotonic one, at one moment.
package struct WallClockSample: Hashable, Sendable {
  /// Nanoseconds to add to `CLOCK_MONOTONIC` to get `CLOCK_REALTIME`.
  package var offset: Int64
  /// The kernel's own bound of the wall clock's error in nanoseconds (`adjtimex` maxerror), at most a
  /// second old and grown since; `Int64.max` when the clock is not synchronised.
  package var error: Int64

  package init(offset: Int64, error: Int64) {
    self.offset = offset
    self.error = error
  }
}
