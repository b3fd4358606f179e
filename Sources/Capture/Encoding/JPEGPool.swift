import Imaging

/// Memory for JPEGs of one size at a time. Confined to one thread.
struct JPEGPool {
  private let limit: Int
  private let extra: Int
  private var pool: FramePool?
  private var size: ImageSize?

  /// - Parameters:
  ///   - limit: The most pictures in use at once.
  ///   - extra: Bytes beside each picture.
  init(limit: Int, extra: Int = 0) {
    self.limit = limit
    self.extra = extra
  }

  /// Memory for a picture of this size, or nil when all of it is in use.
  mutating func take(for size: ImageSize) -> FrameDraft? {
    if let pool, self.size == size { return pool.take() }
    let new = FramePool.jpegs(of: size, limit: limit, extra: extra)
    (pool, self.size) = (new, size)
    return new.take()
  }

  /// Whether there is memory for another picture of the size that was asked for last.
  var hasRoom: Bool {
    pool?.hasRoom ?? true
  }

  /// Frees the memory; pictures in use are freed with their last reference.
  mutating func removeAll() {
    (pool, size) = (nil, nil)
  }
}

extension FramePool {
  /// Frames that hold any JPEG of this size. Memory that a picture does not fill is never touched.
  /// - Parameter extra: Bytes beside each picture.
  static func jpegs(of size: ImageSize, limit: Int, extra: Int = 0) -> FramePool {
    FramePool(
      limit: limit,
      byteCount: JPEGEncoder.maximumByteCount(for: size) + extra,
      layout: ImageLayout.compressed(.mjpeg, size: size)
    )
  }
}
