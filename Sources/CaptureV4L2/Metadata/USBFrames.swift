/// What the numbers of USB frames say of a reading, as long as they can be trusted. A camera may
/// have counters of its own, and some hosts have none. Pure.
struct USBFrames: Hashable {
  /// False from the first number that is wrong until the stream ends.
  var isTrusted = true

  private static let length = 1_000_000.0
  private static let count = 2048
  /// The host's clock and its number of the frame are read one after the other, and some hosts
  /// count a moment after the frame began.
  private static let slack = 125_000.0
  /// Clocks of USB hosts are this good (USB 2.0, 7.1.11).
  private static let inaccuracy = 500e-6
  /// If all numbers are further behind, they are those of a counter of the camera's own.
  static let mostFrames = 10
  private static let slowest = Int(DeviceClock.slowest / length)

  /// Whether the host's number went on with the host's clock.
  func agree(from last: UVCMetadata.Reading, to next: UVCMetadata.Reading) -> Bool {
    let counted = Int(next.hostFrame) - Int(last.hostFrame)
    let passed = Int((Double(next.hostTime - last.hostTime) / Self.length).rounded())
    let difference = (counted - passed) & (Self.count - 1)
    return min(difference, Self.count - difference) <= 3
  }

  /// How many frames the reading's packet was on its way; nil if its numbers are not those of one
  /// bus.
  func behind(_ reading: UVCMetadata.Reading) -> Int? {
    let behind = (Int(reading.hostFrame) - Int(reading.deviceFrame)) & (Self.count - 1)
    return isTrusted && behind <= Self.slowest ? behind : nil
  }

  /// The bounds of the moment of a reading whose packet was so many frames on its way.
  func bounds(behind: Int, arrival: Double) -> ClosedRange<Double> {
    let begin = arrival - Double(behind) * Self.length
    let slack = Self.length + Self.slack + Double(behind) * Self.length * Self.inaccuracy
    return begin - slack...min(arrival, begin + slack)
  }
}
