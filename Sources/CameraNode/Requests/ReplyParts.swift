/// Where a client is reached: the address that the control socket gave it.
typealias ClientAddress = [UInt8]

/// One reply as it goes out: the message, and the bytes that go with it.
struct ReplyParts: Hashable, Sendable {
  var message: [UInt8]
  /// A picture, or a chunk of a file.
  var attachment: [UInt8]?

  var byteCount: Int { message.count + (attachment?.count ?? 0) }
}
