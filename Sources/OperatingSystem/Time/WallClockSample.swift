/// The wall clock compared with the monotonic clock at one moment.
package struct WallClockSample: Hashable, Sendable {
  /// Nanoseconds to add to `CLOCK_MONOTONIC` to get `CLOCK_REALTIME`.
  package var offset: Int64
  /// The kernel's own bound of the wall clock's error in nanoseconds (`adjtimex` maxerror). It is
  /// read at most once a second and grows in between. `Int64.max` if the clock is not synchronized.
  package var error: Int64

  package init(offset: Int64, error: Int64) {
    self.offset = offset
    self.error = error
  }
}
