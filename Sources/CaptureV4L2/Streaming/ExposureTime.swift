/// The exposure time that a camera's controls state.
enum ExposureTime {
  /// In nanoseconds; nil unless the exposure time is set by hand.
  ///
  /// - Parameters:
  ///   - mode: The value of `V4L2_CID_EXPOSURE_AUTO`; nil if the camera has no such control: then
  ///     its exposure time is always set by hand.
  ///   - absolute: The value of `V4L2_CID_EXPOSURE_ABSOLUTE` as it was read back, in units of
  ///     100 µs; nil if the camera has no such control or does not use it now.
  static func nanoseconds(mode: Int64?, absolute: Int64?) -> Int64? {
    // V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_SHUTTER_PRIORITY.
    guard let absolute, (1...1_000_000).contains(absolute), mode == nil || mode == 1 || mode == 2
    else { return nil }
    return absolute * 100_000
  }
}

/// The exposure time of each frame. After a change it is unknown for some frames, because nobody
/// knows which frame is the first that the camera exposes in the new way.
struct SettledExposure: Hashable {
  /// Cameras need two or three frames.
  private static let framesToSettle = 10

  /// What the controls say now.
  struct Reading: Hashable, Sendable {
    /// In nanoseconds; nil if it is not known.
    var duration: Int64?
    /// Counts the changes.
    var changes = 0
  }

  private var last: Reading?
  private var unsettled = 0

  /// The exposure time of the next frame, in nanoseconds; nil if it is not known.
  mutating func next(_ reading: Reading) -> Int64? {
    if let last, last.changes != reading.changes { unsettled = Self.framesToSettle }
    last = reading
    guard unsettled > 0 else { return reading.duration }
    unsettled -= 1
    return nil
  }
}
