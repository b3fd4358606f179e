import CPixels

/// Measures how much detail a picture has, to choose the sharpest of several frames of one scene:
/// those with less motion blur and better focus have higher values.
///
/// The measure is the mean square of the change of luma from one group of two by two pixels to the
/// next, across and down, without the share of the noise. The flattest parts of the picture tell
/// the noise. Values of different scenes, sizes or formats are not comparable.
package final class Sharpness {
  /// Groups of two by two pixels whose noise is measured together.
  private static let tile = 32
  /// Rows that are measured are this far apart; four of them at a time are.
  private static let rowSpacing = 8
  /// The share of tiles that are flatter than the one that tells the noise.
  private static let flatShare: Float = 0.25
  /// What a tile at that share has too little by chance: noise squares of a tile vary by a quarter.
  private static let flatCorrection: Float = 1.2
  /// The noise of the two changes of a group is this multiple of the noise inside it: they are
  /// made of sixteen samples instead of four.
  private static let changePerNoise: Float = 4

  private let rows = SampleMemory()
  private let wide = SampleMemory()

  package init() {}

  /// Measures a raw picture.
  /// - Throws: `shortInput`, or `unsupportedFormat` for compressed pictures and for depth.
  package func measure(_ image: RawSpan, layout: ImageLayout) throws(ImagingError) -> Double {
    let plane = try SamplePlane.planes(of: layout)[0]
    guard image.byteCount >= layout.byteCount else {
      throw ImagingError(.shortInput, "the picture has fewer bytes than its format says")
    }
    return unsafe image.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      return unsafe measure(start, plane).value
    }
  }

  /// A measure with what it left out.
  struct Measure {
    var value = 0.0
    /// The share of the noise.
    var noise = 0.0
  }

  /// - Parameters:
  ///   - picture: The whole picture.
  ///   - plane: The first of its planes.
  func measure(_ picture: UnsafePointer<UInt8>, _ plane: SamplePlane) -> Measure {
    // The colours of a mosaic are measured together.
    let size = ImageSize(
      width: plane.size.width / plane.period, height: plane.size.height / plane.period)
    guard size.width >= 4, size.height >= 4 else { return Measure() }
    let rows: UnsafeMutablePointer<UInt16> = unsafe rows.values(4 * size.width)
    let groups = size.width / 2
    var details: [CPixels_Detail] = []
    for y in stride(from: 0, through: size.height - 4, by: Self.rowSpacing) {
      for row in 0..<4 { unsafe read(picture, plane, y + row, into: rows + row * size.width) }
      for group in stride(from: 0, to: groups - 1, by: Self.tile) {
        let first = unsafe rows + 2 * group
        let detail = unsafe CPixels_detail(
          first, first + size.width, first + 2 * size.width, first + 3 * size.width,
          min(Self.tile + 1, groups - group))
        details.append(detail)
      }
    }
    let flat = Self.flatCorrection * details.lazy.map(\.noise).quantile(Self.flatShare)
    let noise = Double(Self.changePerNoise * flat)
    let change = details.reduce(0) { $0 + Double($1.change) } / Double(details.count)
    return Measure(value: max(0, change - noise), noise: noise)
  }

  /// Reads a row of luma, of green, or of a mosaic's colours together.
  private func read(
    _ picture: UnsafePointer<UInt8>, _ plane: SamplePlane, _ y: Int,
    into target: UnsafeMutablePointer<UInt16>
  ) {
    let row = unsafe picture + plane.offset + y * plane.period * plane.stride
    let width = plane.size.width
    guard plane.period == 1 else {
      let upper: UnsafeMutablePointer<UInt16> = unsafe wide.values(2 * width)
      unsafe CPixels_gather(row, plane.isDeep, 1, upper, width)
      unsafe CPixels_gather(row + plane.stride, plane.isDeep, 1, upper + width, width)
      unsafe CPixels_halve(upper, upper + width, target, width / 2)
      return
    }
    switch plane.packing {
    case .contiguous:
      let green = plane.channels > 2 ? 1 : 0
      unsafe CPixels_gather(row + green, plane.isDeep, plane.channels, target, width)
    case .alternate(let first):
      unsafe CPixels_gather(row + first, false, 2, target, width)
    case .rgb565:
      let samples: UnsafeMutablePointer<UInt8> = unsafe wide.values(3 * width)
      unsafe CPixels_unpack565(row, samples, width)
      unsafe CPixels_gather(samples + 1, false, 3, target, width)
    }
  }
}
