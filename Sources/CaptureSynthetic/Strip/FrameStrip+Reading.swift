package import Imaging

extension FrameStrip {
  /// Reads the strip of a picture in one of the raw formats that the synthetic camera has, scaled or not.
  ///
  /// A compressed picture is decoded first. Returns nil for a picture without a strip, for one that is damaged beyond
  /// reading, and for a format that is not known.
  package static func read(_ picture: RawSpan, layout: ImageLayout) -> FrameStrip? {
    guard let sampler = LumaSampler(layout, byteCount: picture.byteCount) else { return nil }
    for geometry in StripGeometry.all {
      if let strip = FrameStrip(bytes: read(picture, sampler, geometry)) { return strip }
    }
    return nil
  }

  /// Reads the strip of a picture's luma plane, one byte a pixel.
  package static func read(luma: RawSpan, size: ImageSize, bytesPerLine: Int) -> FrameStrip? {
    let layout = try? ImageLayout(size: size, pixelFormat: .grey, bytesPerLine: bytesPerLine)
    return layout.flatMap { read(luma, layout: $0) }
  }

  private static func read(
    _ picture: RawSpan,
    _ sampler: LumaSampler,
    _ geometry: StripGeometry
  ) -> Bytes {
    var bytes = Bytes(repeating: 0)
    let reach = geometry.side(width: sampler.size.width) / 4
    for cell in 0..<(byteCount * 8) {
      let (x, y) = geometry.center(
        of: cell,
        width: sampler.size.width,
        height: sampler.size.height
      )
      if sampler.mean(of: picture, x: x, y: y, reach: reach) >= 128 {
        bytes[cell / 8] |= 0x80 >> UInt8(cell % 8)
      }
    }
    return bytes
  }
}
