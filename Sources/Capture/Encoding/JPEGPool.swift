import Imaging

/// Memory for JPEGs of one size at a time. Confined to one thread.
struct JPEGPool {
  private let limit: Int
  private var pool: FramePool?
  private var size: ImageSize?

  /// - Parameter limit: the most pictures in use at once.
  init(limit: Int) {
    self.limit = limit
  }

  /// Memory for a picture of this size, or nil when all of it is in use.
  mutating func take(for size: ImageSize) -> FrameDraft? {
    if let pool, self.size == size { return pool.take() }
    let new = FramePool.jpegs(of: size, limit: limit)
    (pool, self.size) = (new, size)
    return new.take()
  }

  /// Frees the memory; pictures in use are freed with their last reference.
  mutating func removeAll() {
    (pool, size) = (nil, nil)
  }
}
