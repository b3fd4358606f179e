/// An encoder's memory for one picture in 4:2:0, whose width and height are even.
@unsafe package struct VideoPlanes {
  package var size: ImageSize
  package var luma: UnsafeMutablePointer<UInt8>
  package var blue: UnsafeMutablePointer<UInt8>
  package var red: UnsafeMutablePointer<UInt8>
  /// Bytes from one row to the next, of luma and of each chroma plane.
  package var lumaStride: Int
  package var chromaStride: Int

  package init(
    size: ImageSize, luma: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>,
    red: UnsafeMutablePointer<UInt8>, lumaStride: Int, chromaStride: Int
  ) {
    precondition(size.isEven, "4:2:0 has a chroma sample for two pixels in each direction")
    unsafe self.size = size
    unsafe (self.luma, self.blue, self.red) = (luma, blue, red)
    unsafe (self.lumaStride, self.chromaStride) = (lumaStride, chromaStride)
  }

  /// Luma and chroma as planes to write.
  var planes: MutablePlanes {
    let chroma = unsafe ImageSize(width: size.width / 2, height: size.height / 2)
    return unsafe MutablePlanes(
      size: size, subsampling: .yuv420,
      luma: MutablePlane(size: size, start: luma, stride: lumaStride),
      chroma: (
        blue: MutablePlane(size: chroma, start: blue, stride: chromaStride),
        red: MutablePlane(size: chroma, start: red, stride: chromaStride)
      ))
  }
}

/// What the codes of a video's pictures mean.
package struct VideoCoding: Hashable, Sendable {
  package var range: ImageLayout.Range
  package var matrix: ImageLayout.Matrix

  /// That of pictures which ``VideoPictureMaker`` makes of pictures with this layout: it keeps
  /// their codes.
  package init(of layout: ImageLayout) {
    (range, matrix) =
      layout.pixelFormat.isCompressed ? (.full, .bt601) : layout.planeCoding
  }
}

extension ImageSize {
  var isEven: Bool { width.isMultiple(of: 2) && height.isMultiple(of: 2) }

  /// The size of a video's picture: without the last column or row of an odd size, because 4:2:0
  /// has none.
  package var ofVideo: ImageSize {
    ImageSize(width: max(2, width & ~1), height: max(2, height & ~1))
  }
}
