/// How many luma samples share one sample of each chroma plane.
package struct ChromaSubsampling: Hashable, Sendable, CustomStringConvertible {
  /// Luma samples across; 0 where there is no chroma.
  package let horizontal: Int
  /// Luma samples down; 0 where there is no chroma.
  package let vertical: Int

  /// Luma alone.
  package static let grey = ChromaSubsampling(horizontal: 0, vertical: 0)
  package static let yuv444 = ChromaSubsampling(horizontal: 1, vertical: 1)
  package static let yuv422 = ChromaSubsampling(horizontal: 2, vertical: 1)
  package static let yuv420 = ChromaSubsampling(horizontal: 2, vertical: 2)
  package static let yuv440 = ChromaSubsampling(horizontal: 1, vertical: 2)
  package static let yuv411 = ChromaSubsampling(horizontal: 4, vertical: 1)

  /// As it is usually written, "4:2:2", else as the factors, "2x4".
  package var description: String {
    switch self {
    case .grey: "4:0:0"
    case .yuv444: "4:4:4"
    case .yuv422: "4:2:2"
    case .yuv420: "4:2:0"
    case .yuv440: "4:4:0"
    case .yuv411: "4:1:1"
    default: "\(horizontal)x\(vertical)"
    }
  }

  var isGrey: Bool { self == .grey }

  /// The samples of each chroma plane of a picture; what is left over at its edges counts whole.
  func chromaSize(_ size: ImageSize) -> ImageSize {
    isGrey
      ? ImageSize(width: 0, height: 0)
      : ImageSize(
        width: (size.width + horizontal - 1) / horizontal,
        height: (size.height + vertical - 1) / vertical
      )
  }

  /// The luma samples that are compressed together: a block of 8x8 samples of each chroma plane stands for as many.
  var blockSize: ImageSize {
    isGrey
      ? ImageSize(width: 8, height: 8) : ImageSize(width: 8 * horizontal, height: 8 * vertical)
  }

  /// `size` rounded up to what can be compressed.
  func wholeBlocks(_ size: ImageSize) -> ImageSize {
    ImageSize(
      width: (size.width + blockSize.width - 1) / blockSize.width * blockSize.width,
      height: (size.height + blockSize.height - 1) / blockSize.height * blockSize.height
    )
  }

  /// The luma samples that the chroma samples stand for: `size` rounded up.
  func paddedSize(_ size: ImageSize) -> ImageSize {
    let chroma = chromaSize(size)
    return isGrey
      ? size : ImageSize(width: chroma.width * horizontal, height: chroma.height * vertical)
  }
}
