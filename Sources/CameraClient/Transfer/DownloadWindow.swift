/// Checks a download's chunks: they come without a gap, up to the asset's size, and never more at a
/// time than there is credit for. Pure.
///
/// The node sends one chunk for each credit. Each kept chunk earns one more credit, which is given
/// for several chunks at once. (ZeroMQ guide, chapter 7: credit-based flow control.)
package struct DownloadWindow {
  /// The most chunks under way.
  package static let credit = 8
  /// Chunks for which credit is given at once. The others keep the node busy until it arrives.
  package static let grant = 4

  package let total: UInt64
  package private(set) var offset: UInt64
  /// Chunks that may still come.
  private var credit = Self.credit
  /// Kept chunks that no credit was given for yet.
  private var kept = 0

  /// - Parameter offset: The number of bytes that are there already.
  package init(total: UInt64, offset: UInt64 = 0) {
    self.total = total
    self.offset = offset
  }

  package var isComplete: Bool { offset == total }

  /// Begins a request that asks for the bytes from `offset` on.
  package mutating func beginRequest() {
    credit = Self.credit
    kept = 0
  }

  /// Takes a chunk of the asset.
  /// - Returns: The number of bytes up to its end.
  /// - Throws: `protocolViolation` for a chunk that does not follow the last one, or had no credit.
  @discardableResult
  package mutating func take(
    offset chunkOffset: UInt64,
    count: Int,
    total chunkTotal: UInt64
  ) throws(CameraBusError) -> UInt64 {
    guard chunkTotal == total else {
      throw .protocolViolation("the node says that \(total) bytes are \(chunkTotal)")
    }
    guard chunkOffset == offset, count > 0, UInt64(count) <= total - offset else {
      throw .protocolViolation(
        "the node sent \(count) bytes from \(chunkOffset) on where \(offset) of \(total) were had"
      )
    }
    guard credit > 0 else {
      throw .protocolViolation("the node sent more than \(Self.credit) chunks at a time")
    }
    credit -= 1
    offset += UInt64(count)
    return offset
  }

  /// Notes that a chunk is kept.
  /// - Returns: The credit to give now, if any.
  package mutating func keep() -> Int? {
    kept += 1
    guard kept >= Self.grant else { return nil }
    defer { kept = 0 }
    credit += kept
    return kept
  }
}
