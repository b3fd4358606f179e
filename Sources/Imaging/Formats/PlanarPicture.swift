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
