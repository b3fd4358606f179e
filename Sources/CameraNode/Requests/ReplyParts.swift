/// The address that the control socket gave a client.
typealias ClientAddress = [UInt8]

/// One encoded reply: the message and an optional attachment.
struct ReplyParts: Hashable, Sendable {
  var message: [UInt8]
  /// A picture, or a chunk of a file.
  var attachment: [UInt8]?

  var byteCount: Int { message.count + (attachment?.count ?? 0) }
}
