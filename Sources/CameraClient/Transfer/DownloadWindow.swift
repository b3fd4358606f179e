/// What a download has and expects: chunks without a gap, up to a size. Pure.
///
/// The node sends as many chunks as it has credit for; each one that is taken is worth one more. (ZeroMQ guide,
/// chapter 7: credit-based flow control.)
package struct DownloadWindow {
  /// Chunks under way at most.
  package static let credit = 8

  package let total: UInt64
  package private(set) var offset: UInt64

  /// - Parameter offset: How many bytes are there already.
  package init(total: UInt64, offset: UInt64 = 0) {
    self.total = total
    self.offset = offset
  }

  package var isComplete: Bool { offset == total }

  /// Takes a chunk of the asset.
  /// - Throws: `protocolViolation` for one that does not follow the last.
  package mutating func take(
    offset chunkOffset: UInt64,
    count: Int,
    total chunkTotal: UInt64
  ) throws(CameraBusError) {
    guard chunkTotal == total else {
      throw .protocolViolation("the node says that \(total) bytes are \(chunkTotal)")
    }
    guard chunkOffset == offset, count > 0, UInt64(count) <= total - offset else {
      throw .protocolViolation(
        "the node sent \(count) bytes from \(chunkOffset) on where \(offset) of \(total) were had"
      )
    }
    offset += UInt64(count)
  }
}
