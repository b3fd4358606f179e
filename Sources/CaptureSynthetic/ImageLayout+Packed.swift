import Imaging

extension ImageLayout {
  /// A picture whose lines follow one another without padding.
  static func packed(_ size: ImageSize, _ format: PixelFormat) -> ImageLayout {
    let bytesPerLine = BlockFormat(format)?.planes(width: size.width)[0].bytesPerLine ?? 0
    return ImageLayout(size: size, pixelFormat: format, bytesPerLine: bytesPerLine)
  }
}
