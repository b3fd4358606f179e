/// From the limited range that raw video has to the full range that JPEG has (ITU-R BT.601, JFIF).
///
/// The ratios 255/219 and 255/224 are taken in eight fractional bits, which is within one code of them. Limits come before
/// the multiplication, in unsigned bytes: so the compiler makes vector code of it that waits for memory alone.
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
    let offset = min(code &- min(code, 16), 219)
    return offset &+ UInt8(truncatingIfNeeded: (UInt16(offset) &* 42 &+ 128) &>> 8)
  }

  @inline(__always)
  private static func chroma(_ code: UInt8) -> UInt8 {
    // Codes from 15 to 240 fill 0 to 255. The 18 is what keeps the product's part of those below 128 positive.
    let code = min(max(code, 15), 240)
    return code &+ UInt8(truncatingIfNeeded: (UInt16(code) &* 35 &+ 256) &>> 8) &- 18
  }
}
