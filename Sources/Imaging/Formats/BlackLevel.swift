/// The sample that a Bayer sensor has where no light falls. Sensors add it, so that noise does not
/// become negative, and V4L2 does not tell it.
package struct BlackLevel: Codable, Hashable, Sendable {
  /// The sample, of `bits` bits.
  package let level: Int
  package let bits: Int

  /// - Parameter white: The highest sample: 255, 1023, 4095, 16383 or 65535.
  /// - Returns: Nil for another white, or if black is not from 0 to below white.
  package init?(_ level: Int, ofWhite white: Int) {
    guard let bits = [8, 10, 12, 14, 16].first(where: { 1 << $0 - 1 == white }),
      (0..<white).contains(level)
    else { return nil }
    (self.level, self.bits) = (level, bits)
  }

  /// The same level in samples of another number of bits, which have the same highest bits. It is
  /// below their white.
  package func level(ofBits other: Int) -> Int {
    let level =
      other < bits ? (level + (1 << (bits - other)) / 2) >> (bits - other) : level << (other - bits)
    return max(0, min(level, (1 << other) - 2))
  }
}
