import Imaging

extension FramePool {
  /// Frames that hold any JPEG of this size. Memory that a picture does not fill is never touched.
  static func jpegs(of size: ImageSize, limit: Int) -> FramePool {
    FramePool(
      limit: limit,
      byteCount: JPEGEncoder.maximumByteCount(for: size),
      layout: ImageLayout.compressed(.mjpeg, size: size)
    )
  }
}
