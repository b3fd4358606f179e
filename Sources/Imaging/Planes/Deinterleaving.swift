/// Copies of interleaved rows into planes: the hot loops of the frame path for raw cameras.
enum Deinterleaving {
  /// Where a packed 4:2:2 format has its samples among the four bytes of two pixels.
  struct Order422 {
    var luma: Int
    var blue: Int
    var red: Int

    init?(_ format: PixelFormat) {
      switch format {
      case .yuyv: (luma, blue, red) = (0, 1, 3)
      case .yvyu: (luma, blue, red) = (0, 3, 1)
      case .uyvy: (luma, blue, red) = (1, 0, 2)
      case .vyuy: (luma, blue, red) = (1, 2, 0)
      default: return nil
      }
    }
  }

  /// One row of packed 4:2:2.
  @inline(__always)
  static func row422(
    _ source: UnsafePointer<UInt8>,
    width: Int,
    order: Order422,
    expands: Bool,
    luma: UnsafeMutablePointer<UInt8>,
    blue: UnsafeMutablePointer<UInt8>,
    red: UnsafeMutablePointer<UInt8>
  ) {
    // Constant offsets in each branch let the loop become vector code.
    if order.luma == 0 {
      unsafe split(
        source,
        width,
        0,
        1,
        3,
        expands,
        luma,
        order.blue == 1 ? blue : red,
        order.blue == 1 ? red : blue
      )
    } else {
      unsafe split(
        source,
        width,
        1,
        0,
        2,
        expands,
        luma,
        order.blue == 0 ? blue : red,
        order.blue == 0 ? red : blue
      )
    }
  }

  @inline(__always)
  private static func split(
    _ source: UnsafePointer<UInt8>,
    _ width: Int,
    _ lumaOffset: Int,
    _ firstOffset: Int,
    _ secondOffset: Int,
    _ expands: Bool,
    _ luma: UnsafeMutablePointer<UInt8>,
    _ first: UnsafeMutablePointer<UInt8>,
    _ second: UnsafeMutablePointer<UInt8>
  ) {
    let pairs = width / 2
    if expands {
      for pair in 0..<pairs {
        unsafe luma[2 &* pair] = RangeExpansion.luma(source[4 &* pair &+ lumaOffset])
        unsafe luma[2 &* pair &+ 1] = RangeExpansion.luma(source[4 &* pair &+ lumaOffset &+ 2])
        unsafe first[pair] = RangeExpansion.chroma(source[4 &* pair &+ firstOffset])
        unsafe second[pair] = RangeExpansion.chroma(source[4 &* pair &+ secondOffset])
      }
    } else {
      for pair in 0..<pairs {
        unsafe luma[2 &* pair] = source[4 &* pair &+ lumaOffset]
        unsafe luma[2 &* pair &+ 1] = source[4 &* pair &+ lumaOffset &+ 2]
        unsafe first[pair] = source[4 &* pair &+ firstOffset]
        unsafe second[pair] = source[4 &* pair &+ secondOffset]
      }
    }
    guard width % 2 == 1 else { return }
    let code = unsafe source[4 * pairs + lumaOffset]
    let (one, two) = unsafe (source[4 * pairs + firstOffset], source[4 * pairs + secondOffset])
    unsafe luma[2 * pairs] = expands ? RangeExpansion.luma(code) : code
    unsafe first[pairs] = expands ? RangeExpansion.chroma(one) : one
    unsafe second[pairs] = expands ? RangeExpansion.chroma(two) : two
  }

  /// One row of interleaved chroma.
  @inline(__always)
  static func chromaRow(
    _ source: UnsafePointer<UInt8>,
    width: Int,
    expands: Bool,
    first: UnsafeMutablePointer<UInt8>,
    second: UnsafeMutablePointer<UInt8>
  ) {
    if expands {
      for index in 0..<width {
        unsafe first[index] = RangeExpansion.chroma(source[2 &* index])
        unsafe second[index] = RangeExpansion.chroma(source[2 &* index &+ 1])
      }
    } else {
      for index in 0..<width {
        unsafe first[index] = source[2 &* index]
        unsafe second[index] = source[2 &* index &+ 1]
      }
    }
  }

  /// One row of a plane.
  @inline(__always)
  static func planeRow(
    _ source: UnsafePointer<UInt8>,
    width: Int,
    expandsAs kind: PlaneKind?,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    switch kind {
    case nil: unsafe target.update(from: source, count: width)
    case .luma: for x in 0..<width { unsafe target[x] = RangeExpansion.luma(source[x]) }
    case .chroma: for x in 0..<width { unsafe target[x] = RangeExpansion.chroma(source[x]) }
    }
  }
}

enum PlaneKind {
  case luma, chroma
}
