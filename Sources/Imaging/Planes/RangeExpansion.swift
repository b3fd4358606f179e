/// From the limited range that raw video has to the full range that JPEG has (ITU-R BT.601, JFIF).
///
/// The ratios 255/219 and 255/224 are taken in eight fractional bits, which is within one code of them.
enum RangeExpansion {
  /// Expands a row of samples; codes beyond the limits become the nearest.
  static func expand(
    _ source: UnsafePointer<UInt8>,
    _ kind: PlaneKind,
    count: Int,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    switch kind {
    case .luma: for x in 0..<count { unsafe target[x] = luma(source[x]) }
    case .chroma: for x in 0..<count { unsafe target[x] = chroma(source[x]) }
    }
  }

  @inline(__always)
  private static func luma(_ code: UInt8) -> UInt8 {
    let offset = Int16(code) &- 16
    return UInt8(clamping: offset &+ ((offset &* 42 &+ 128) &>> 8))
  }

  @inline(__always)
  private static func chroma(_ code: UInt8) -> UInt8 {
    let offset = Int16(code) &- 128
    return UInt8(clamping: 128 &+ offset &+ ((offset &* 35 &+ 128) &>> 8))
  }
}
