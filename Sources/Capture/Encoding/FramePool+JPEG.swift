import Imaging

extension FramePool {
  /// Frames that hold any JPEG of this size. Memory that a picture does not fill is never touched.
  /// - Parameter extra: bytes beside each picture.
  static func jpegs(of size: ImageSize, limit: Int, extra: Int = 0) -> FramePool {
    FramePool(
      limit: limit,
      byteCount: JPEGEncoder.maximumByteCount(for: size) + extra,
      layout: ImageLayout.compressed(.mjpeg, size: size)
    )
  }
}
