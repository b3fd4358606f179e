/// One reply as it goes out: the message, and the bytes that go with it.
struct ReplyParts: Sendable {
  var message: [UInt8]
  /// A picture, or a chunk of a file.
  var attachment: [UInt8]?

  var byteCount: Int { message.count + (attachment?.count ?? 0) }
}
