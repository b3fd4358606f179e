/// What a download has and expects: chunks without a gap, up to a size, and no more at a time than
/// there is credit for. Pure.
///
/// The node sends as many chunks as it has credit for; each one that is kept is worth one more,
/// given for several at once. (ZeroMQ guide, chapter 7: credit-based flow control.)
package struct DownloadWindow {
  /// Chunks under way at most.
  package static let credit = 8
  /// Chunks for which credit is given at once: the others keep the node busy meanwhile.
  package static let grant = 4

  package let total: UInt64
  package private(set) var offset: UInt64
  /// Chunks that may still come.
  private var credit = Self.credit
  /// Chunks that were kept and are still to be credited.
  private var kept = 0

  /// - Parameter offset: How many bytes are there already.
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
  /// - Returns: How many bytes there are with it.
  /// - Throws: `protocolViolation` for one that does not follow the last, or that there was no
  ///   credit for.
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

  /// A chunk that was taken is where it belongs.
  /// - Returns: The credit to give now, if any.
  package mutating func keep() -> Int? {
    kept += 1
    guard kept >= Self.grant else { return nil }
    defer { kept = 0 }
    credit += kept
    return kept
  }
}
