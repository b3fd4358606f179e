import SwiftProtobuf

/// The ZeroMQ parts of requests and replies: `"CB1" | message | attachment…`.
///
/// Parts may be of any type that provides its bytes, so that received parts are copied only where
/// they are read.
package enum Framing {
  /// The first part of every request and reply.
  package static let signature: [UInt8] = Array("CB1".utf8)
  /// The version of the protocol that the signature stands for.
  package static let version = 1
  /// The largest message in bytes.
  package static let maximumMessageSize = 1 << 20
  /// The most parts of a request or reply, including its signature.
  package static let maximumParts = 8

  /// Splits the parts of a request or reply.
  /// - Parameter parts: The parts after the client's address.
  /// - Returns: The message's bytes and the attachments.
  /// - Throws: `foreign`, `missingPart`, `tooManyParts`, `tooLong`.
  package static func split<Part>(
    _ parts: some Collection<Part>,
    bytes: (Part) -> [UInt8]
  ) throws(FramingError) -> (message: [UInt8], attachments: [Part]) {
    // An iterator, because slices of an arbitrary collection would cost more than everything else
    // here.
    var rest = parts.makeIterator()
    guard let first = rest.next(), bytes(first) == signature else {
      throw FramingError(
        .foreign, "the first part is not CB1: this is no message of protocol version 1")
    }
    guard let message = rest.next().map(bytes) else {
      throw FramingError(.missingPart, "the message behind CB1 is missing")
    }
    guard parts.count <= maximumParts else {
      throw FramingError(
        .tooManyParts, "a message has at most \(maximumParts) parts, not \(parts.count)")
    }
    try check(byteCount: message.count)
    var attachments: [Part] = []
    while let part = rest.next() { attachments.append(part) }
    return (message, attachments)
  }

  /// Reads the parts of a request or reply. The message's fields still need validation.
  /// - Throws: The errors of `split` and `decode`.
  package static func read<M: ShapedMessage, Part>(
    _ type: M.Type,
    from parts: some Collection<Part>,
    bytes: (Part) -> [UInt8]
  ) throws(FramingError) -> (message: M, attachments: [Part]) {
    let (message, attachments) = try split(parts, bytes: bytes)
    return (try decode(type, from: message), attachments)
  }

  /// Reads one Protobuf message.
  /// - Throws: `tooLong`, `unreadable`, `repeated`, `tooManyFields`, `fieldTooLong`.
  package static func decode<M: ShapedMessage>(
    _ type: M.Type,
    from bytes: [UInt8]
  ) throws(FramingError) -> M {
    try check(byteCount: bytes.count)
    let flaw: FramingError.Code?
    do {
      flaw = try unsafe M.shape.flaw(in: bytes.span.bytes)
      if flaw == nil { return try M(serializedBytes: bytes) }
    } catch {
      throw FramingError(
        .unreadable, "the message is no \(M.protoMessageName): check how it is encoded")
    }
    throw switch flaw {
    case .tooManyFields?:
      FramingError(
        .tooManyFields,
        "a request has at most \(WireLimits.requestFields) fields: ask for less at a time")
    case .fieldTooLong?:
      FramingError(
        .fieldTooLong, "a field has at most \(WireLimits.fieldByteCount) bytes: shorten the longest"
      )
    default:
      FramingError(
        .repeated,
        "the \(M.protoMessageName) repeats a field that it may have only once: write it once")
    }
  }

  static func check(byteCount: Int) throws(FramingError) {
    guard byteCount <= maximumMessageSize else {
      throw FramingError(
        .tooLong, "a message has at most \(maximumMessageSize) bytes, not \(byteCount)")
    }
  }
}
