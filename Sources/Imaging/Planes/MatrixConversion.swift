/// Converts full-range luma and chroma from ITU-R BT.709 to JFIF's BT.601.
///
/// With Y, Cb and Cr of BT.709, the matrices of both recommendations give
/// Y' = Y + 0.1016 Cb + 0.1961 Cr, Cb' = 0.9899 Cb - 0.1107 Cr, Cr' = -0.0725 Cb + 0.9834 Cr.
/// The change of luma depends on chroma only, so all luma samples of one chroma sample change by
/// the same amount.
enum MatrixConversion {
  /// Converts planes with 4:2:2 or 4:2:0 chroma in place. Other planes stay unchanged.
  /// - Parameter scratch: Working memory that the caller keeps between pictures.
  static func convert(_ planes: MutablePlanes, scratch: inout [Int16]) {
    guard unsafe planes.subsampling.horizontal == 2, let (blue, red) = unsafe planes.chroma else {
      return
    }
    let down = unsafe planes.subsampling.vertical
    let width = unsafe blue.size.width
    if scratch.count < 2 * width { scratch = Array(repeating: 0, count: 2 * width) }
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      guard let change = scratch.baseAddress else { return }
      for y in unsafe 0..<blue.size.height {
        unsafe convert(blue.row(y), red.row(y), width, change)
        for lumaY in unsafe (y * down)..<min((y + 1) * down, planes.size.height) {
          unsafe add(change, to: planes.luma.row(lumaY), count: planes.size.width)
        }
      }
    }
  }

  /// Converts one row of chroma in place, with 14 fractional bits. `change` receives the change of
  /// luma, twice for each chroma sample.
  private static func convert(
    _ blue: UnsafeMutablePointer<UInt8>,
    _ red: UnsafeMutablePointer<UInt8>,
    _ width: Int,
    _ change: UnsafeMutablePointer<Int16>
  ) {
    let pairs = UnsafeMutableRawPointer(change)
    for x in 0..<width {
      let (cb, cr) = unsafe (Int32(blue[x]) &- 128, Int32(red[x]) &- 128)
      unsafe blue[x] = UInt8(clamping: 128 &+ rounded(16_218 &* cb &- 1_813 &* cr))
      unsafe red[x] = UInt8(clamping: 128 &+ rounded(16_112 &* cr &- 1_187 &* cb))
      let luma = UInt16(truncatingIfNeeded: rounded(1_664 &* cb &+ 3_213 &* cr))
      unsafe pairs.storeBytes(
        of: UInt32(luma) &* 0x1_0001,
        toByteOffset: 4 &* x,
        as: UInt32.self
      )
    }
  }

  private static func rounded(_ value: Int32) -> Int32 { (value &+ 1 << 13) &>> 14 }

  private static func add(
    _ change: UnsafePointer<Int16>,
    to luma: UnsafeMutablePointer<UInt8>,
    count: Int
  ) {
    for x in 0..<count { unsafe luma[x] = UInt8(clamping: Int16(luma[x]) &+ change[x]) }
  }
}
