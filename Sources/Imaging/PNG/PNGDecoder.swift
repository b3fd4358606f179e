import CPNG

/// Reads PNG files with libpng.
package enum PNGDecoder {
  /// How every PNG begins (PNG specification, third edition, 5.2).
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Whether the bytes begin as a PNG.
  package static func isPNG(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Decodes to red, green and blue with three bytes a pixel and rows without padding. More than 8
  /// bits lose their lowest ones.
  /// - Parameter maximumPixelCount: A picture with more is refused before it takes memory.
  /// - Throws: `invalidSize`, `corrupt`.
  package static func decodeRGB(
    _ image: [UInt8], maximumPixelCount: Int
  ) throws(ImagingError) -> (size: ImageSize, pixels: [UInt8]) {
    var (width, height) = (UInt32(0), UInt32(0))
    try unsafe call { unsafe CPNG_readSize(image, image.count, &width, &height, $0) }
    let size = ImageSize(width: Int(width), height: Int(height))
    try size.check()
    guard size.width * size.height <= maximumPixelCount else {
      throw ImagingError(
        .invalidSize, "the PNG has \(size) pixels, and at most \(maximumPixelCount) are read")
    }
    var pixels = [UInt8](repeating: 0, count: 3 * size.width * size.height)
    try unsafe call { unsafe CPNG_readColors(image, image.count, width, height, &pixels, $0) }
    return (size, pixels)
  }

  private static func call(
    _ body: (UnsafeMutablePointer<CChar>) -> Bool
  ) throws(ImagingError) {
    var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE))
    let isDone = unsafe message.withUnsafeMutableBufferPointer { message in
      guard let start = message.baseAddress else { return false }
      return unsafe body(start)
    }
    guard !isDone else { return }
    let bytes = message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    throw ImagingError(.corrupt, "libpng says: \(String(decoding: bytes, as: UTF8.self))")
  }
}
