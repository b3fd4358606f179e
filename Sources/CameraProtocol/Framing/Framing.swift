/// How messages lie in ZeroMQ's parts: requests and replies are `"CB1" | message | attachment…`, publications
/// `topic | header | payload`.
package enum Framing {
  /// The first part of every request and reply.
  package static let signature: [UInt8] = Array("CB1".utf8)
  /// The most bytes of one part that a node takes.
  package static let maximumMessageSize = 1 << 20
  /// The most parts of a request or reply, its signature included.
  package static let maximumParts = 8

  /// - Parameter parts: the parts behind the client's address.
  /// - Returns: the message's bytes and the attachments.
  /// - Throws: what is wrong, as the sentence to answer with.
  package static func split<Part: Sendable>(
    _ parts: some BidirectionalCollection<Part>,
    bytes: (Part) -> [UInt8]
  ) throws(FramingError) -> (message: [UInt8], attachments: [Part]) {
    guard let first = parts.first, bytes(first) == signature else {
      throw FramingError("the first part is not CB1: this is no request of protocol version 1")
    }
    guard parts.count >= 2 else { throw FramingError("the message behind CB1 is missing") }
    guard parts.count <= maximumParts else {
      throw FramingError("a message has at most \(maximumParts) parts, not \(parts.count)")
    }
    let rest = parts.dropFirst()
    guard let message = rest.first.map(bytes), message.count <= maximumMessageSize else {
      throw FramingError("a message has at most \(maximumMessageSize) bytes")
    }
    return (message, Array(rest.dropFirst()))
  }
}

/// Parts that are no message of this protocol.
package struct FramingError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
