import Imaging

/// Decodes JPEGs no larger than they are drawn.
final class PictureDecoder {
  /// The most pixels of a picture. A progressive one takes up to six bytes of memory for each.
  static let maximumPixelCount = 120_000_000

  private let decoder: JPEGDecoder

  init() throws(ImagingError) {
    decoder = try JPEGDecoder()
  }

  /// Decodes a picture in the size that `choose` returns for its own size, both as they are seen.
  func picture(
    _ jpeg: RawSpan, _ choose: (ImageSize) -> ImageSize
  ) throws(ImagingError) -> RGBPicture {
    let full = try decoder.size(of: jpeg)
    guard full.width * full.height <= Self.maximumPixelCount else {
      throw ImagingError(
        .invalidSize,
        "it has \(full) pixels, and at most \(Self.maximumPixelCount / 1_000_000) million are shown"
      )
    }
    let orientation = Orientation(ofJPEG: jpeg)
    let target = orientation.turned(choose(orientation.turned(full)))
    let (size, pixels) = try decoder.decodeRGB(jpeg, atLeast: target)
    return RGBPicture(size: size, pixels: pixels).scaled(to: target).turned(orientation)
  }
}
