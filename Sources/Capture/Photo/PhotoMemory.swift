import OperatingSystem

/// The memory of photo files that are not JPEGs, for all cameras of a node: from their making until
/// they are stored.
package final class PhotoMemory: Sendable {
  /// A part of the memory, until nobody refers to it.
  final class Share: Sendable {
    private let memory: PhotoMemory
    private let byteCount: Int

    fileprivate init(_ memory: PhotoMemory, _ byteCount: Int) {
      self.memory = memory
      self.byteCount = byteCount
    }

    deinit { memory.used.withLock { $0 -= byteCount } }
  }

  private let limit: Int
  private let used = Mutex(0)

  /// - Parameter limit: Bytes.
  init(limit: Int = 256 << 20) {
    self.limit = limit
  }

  /// Whether less than the limit is in use. The last file may exceed it.
  var hasRoom: Bool { used.withLock { $0 < limit } }

  func take(_ byteCount: Int) -> Share {
    used.withLock { $0 += byteCount }
    return Share(self, byteCount)
  }
}
