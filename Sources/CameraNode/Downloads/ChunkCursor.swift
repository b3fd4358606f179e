import CameraProtocol

/// The position of a download in its asset, and the number of chunks that it may send. Pure.
struct ChunkCursor {
  private let byteCount: Int
  private var offset: Int
  private(set) var credit: UInt32

  /// - Parameter credit: 0 for the default.
  init(byteCount: Int, offset: Int, credit: UInt32) {
    self.byteCount = byteCount
    self.offset = offset
    self.credit = credit == 0 ? WireLimits.defaultCredit : credit
  }

  /// Whether nothing is left to send.
  var isComplete: Bool { offset >= byteCount }

  mutating func extend(by chunks: UInt32) {
    credit = min(credit + chunks, WireLimits.credit)
  }

  /// Takes the next chunk, which uses up one credit; nil without credit and at the end.
  mutating func next() -> Range<Int>? {
    guard credit > 0, !isComplete else { return nil }
    credit -= 1
    let start = offset
    offset += min(WireLimits.chunkByteCount, byteCount - offset)
    return start..<offset
  }
}
