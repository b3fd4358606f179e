package import Imaging

extension FrameStrip {
  /// Reads the strip of a raw picture in one of the synthetic camera's formats, scaled or not.
  ///
  /// Decode compressed pictures first. Returns nil if the picture has no strip or a damaged one, or
  /// if its format is unknown.
  package static func read(_ picture: RawSpan, layout: ImageLayout) -> FrameStrip? {
    guard let sampler = LumaSampler(layout, byteCount: picture.byteCount) else { return nil }
    for geometry in StripGeometry.all {
      if let strip = FrameStrip(bytes: read(picture, sampler, geometry)) { return strip }
    }
    return nil
  }

  /// Reads the strip from a luma plane with one byte per pixel.
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
