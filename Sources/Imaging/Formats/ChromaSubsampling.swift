/// The number of luma samples that share one sample of each chroma plane.
package struct ChromaSubsampling: Hashable, Sendable, CustomStringConvertible {
  /// Luma samples across; 0 without chroma.
  package let horizontal: Int
  /// Luma samples down; 0 without chroma.
  package let vertical: Int

  /// Luma without chroma.
  package static let grey = ChromaSubsampling(horizontal: 0, vertical: 0)
  package static let yuv444 = ChromaSubsampling(horizontal: 1, vertical: 1)
  package static let yuv422 = ChromaSubsampling(horizontal: 2, vertical: 1)
  package static let yuv420 = ChromaSubsampling(horizontal: 2, vertical: 2)
  package static let yuv440 = ChromaSubsampling(horizontal: 1, vertical: 2)
  package static let yuv411 = ChromaSubsampling(horizontal: 4, vertical: 1)

  /// The usual notation, such as "4:2:2", or the factors, such as "2x4".
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

  /// The size of each chroma plane. Incomplete groups at the edges count as whole samples.
  package func chromaSize(_ size: ImageSize) -> ImageSize {
    isGrey
      ? ImageSize(width: 0, height: 0)
      : ImageSize(
        width: (size.width + horizontal - 1) / horizontal,
        height: (size.height + vertical - 1) / vertical
      )
  }

  /// The luma samples that are compressed together: the area of one 8x8 block of chroma.
  var blockSize: ImageSize {
    isGrey
      ? ImageSize(width: 8, height: 8) : ImageSize(width: 8 * horizontal, height: 8 * vertical)
  }

  /// `size` rounded up to whole blocks.
  func wholeBlocks(_ size: ImageSize) -> ImageSize {
    ImageSize(
      width: (size.width + blockSize.width - 1) / blockSize.width * blockSize.width,
      height: (size.height + blockSize.height - 1) / blockSize.height * blockSize.height
    )
  }

  /// `size` rounded up to the luma samples that belong to whole chroma samples.
  func paddedSize(_ size: ImageSize) -> ImageSize {
    let chroma = chromaSize(size)
    return isGrey
      ? size : ImageSize(width: chroma.width * horizontal, height: chroma.height * vertical)
  }
}

/// A picture as planes of luma and chroma in memory of their own, in full range and BT.601, as
/// files that lose detail are made of it.
package struct PlanarPicture: Hashable, Sendable {
  package let size: ImageSize
  package let subsampling: ChromaSubsampling
  /// Luma, then blue and red chroma unless it is grey: row after row without padding.
  package let bytes: [UInt8]

  package init(size: ImageSize, subsampling: ChromaSubsampling, bytes: [UInt8]) {
    let chroma = subsampling.chromaSize(size)
    precondition(
      bytes.count == size.width * size.height + 2 * chroma.width * chroma.height,
      "a planar picture has all its samples")
    self.size = size
    self.subsampling = subsampling
    self.bytes = bytes
  }
}
