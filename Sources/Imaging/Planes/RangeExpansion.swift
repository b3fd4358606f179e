/// From the limited range that raw video has to the full range that JPEG has (ITU-R BT.601, JFIF).
///
/// Both are the exact ratios 255/219 and 255/224 in eight fractional bits, which is within one code of them.
enum RangeExpansion {
  @inline(__always)
  static func luma(_ code: UInt8) -> UInt8 {
    let offset = Int16(code) &- 16
    return clamp(offset &+ ((offset &* 42 &+ 128) >> 8))
  }

  @inline(__always)
  static func chroma(_ code: UInt8) -> UInt8 {
    let offset = Int16(code) &- 128
    return clamp(128 &+ offset &+ ((offset &* 35 &+ 128) >> 8))
  }

  @inline(__always)
  private static func clamp(_ value: Int16) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, value)))
  }
}
