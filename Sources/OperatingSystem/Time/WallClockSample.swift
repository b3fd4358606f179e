/// The wall clock compared with the monotonic clock at one moment.
package struct WallClockSample: Codable, Hashable, Sendable {
  /// Nanoseconds to add to `CLOCK_MONOTONIC` to get `CLOCK_REALTIME`.
  package var offset: Int64
  /// The bound of the wall clock's error in nanoseconds, from `WallClockError`; `Int64.max` if it
  /// is unknown.
  package var error: Int64

  package init(offset: Int64, error: Int64) {
    self.offset = offset
    self.error = error
  }
}
