import EventLoop
import ZeroMQ

/// A download into memory.
actor PartMemory: DownloadDestination {
  nonisolated let loop: EventLoop
  /// What came so far.
  private(set) var bytes: [UInt8] = []

  init(byteCount: UInt64, on loop: EventLoop) {
    self.loop = loop
    // What the node says of a size is not believed beyond a point: the array grows by itself.
    bytes.reserveCapacity(Int(min(byteCount, 64 << 20)))
  }

  func append(_ chunk: Message) {
    chunk.withBytes { span in
      unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
  }
}
