/// How much a message takes of which the last part has not come. Pure.
///
/// What libzmq has received over a connection and the reader has not read belongs to that message,
/// when all whole messages were read.
package struct UnfinishedMessage: Sendable {
  /// What small parts may take, besides one of the greatest length: on the wire, and for libzmq's
  /// own next reading.
  private static let allowance = 1 << 20
  /// By how much the process may grow meanwhile, beyond the message. Parts without bytes take 32
  /// times as much memory as on the wire. Over ipc, where the system counts no bytes, this is the
  /// only bound.
  private static let growthAllowance = 1 << 30

  private let limit: Int
  /// At least this many of the bytes belong to messages that were read.
  private var read: UInt64
  /// What had come at the last measurement; nil if a message was read since then.
  private var measured: UInt64?
  private var hasRead = false
  /// Whether the same message was unfinished at the last measurement.
  package private(set) var isUnderWay = false
  private var growth = 0

  /// - Parameters:
  ///   - longestPart: The greatest length of a part, in bytes.
  ///   - taken: What libzmq has received before the watch began. Some of it may have been read.
  package init(longestPart: Int, after taken: UInt64 = 0) {
    limit = longestPart + Self.allowance
    read = taken
  }

  /// A whole message was read, of this many bytes on the wire.
  package mutating func read(_ byteCount: Int) {
    read += UInt64(byteCount)
    // The message was not whole at the measurement, so it ends behind all that had come then. This
    // corrects what does not count as messages, such as the handshake.
    if let measured { read = max(read, measured) }
    measured = nil
    hasRead = true
    isUnderWay = false
    growth = 0
  }

  /// Call it when all whole messages were read.
  /// - Parameters:
  ///   - before: What libzmq had received before they were read; nil if the system does not count.
  ///   - after: What it has received now.
  ///   - growth: By how much the process has grown while input came.
  /// - Returns: Whether the message is longer than any honest one.
  package mutating func isTooLong(before: UInt64?, after: UInt64?, growth: Int) -> Bool {
    self.growth += isUnderWay ? max(0, growth) : 0
    isUnderWay = !hasRead
    hasRead = false
    measured = before
    // Messages of an earlier connection may have been read after this one began.
    if let after { read = min(read, after) }
    let unread = before.map { $0 - min(read, $0) } ?? 0
    return unread > limit || self.growth > limit + Self.growthAllowance
  }
}

extension Parts {
  /// What CURVE adds to each part: the name of a command, a nonce, a checksum and a byte of flags
  /// (RFC 26).
  private static let encryption = 33

  /// What the message took on the wire, at least. Call it before parts are taken.
  package func wireByteCount(isEncrypted: Bool) -> Int {
    (0..<count).reduce(0) { $0 + Self.wireByteCount(self[$1].byteCount, isEncrypted) }
  }

  /// What a part of this length takes on the wire: RFC 37 (ZMTP), "framing".
  fileprivate static func wireByteCount(_ byteCount: Int, _ isEncrypted: Bool) -> Int {
    let size = byteCount + (isEncrypted ? encryption : 0)
    return size + (size > 255 ? 9 : 2)
  }
}

extension Sequence<Message> {
  /// What the message took on the wire, at least.
  package func wireByteCount(isEncrypted: Bool) -> Int {
    reduce(0) { $0 + Parts.wireByteCount($1.count, isEncrypted) }
  }
}
