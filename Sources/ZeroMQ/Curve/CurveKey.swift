import CZeroMQ

/// The public half of a CURVE key pair, by which others know a node.
public struct CurvePublicKey: Hashable, Sendable, CustomStringConvertible {
  /// The key's 32 bytes.
  public let bytes: [UInt8]

  /// - Throws: `invalidKey` unless these are 32 bytes.
  public init(bytes: [UInt8]) throws(ZeroMQError) {
    self.bytes = try checked(bytes)
  }

  /// - Throws: `invalidKey` unless this is Z85 text of 40 characters.
  public init(z85: String) throws(ZeroMQError) {
    bytes = try checked(Z85.decode(z85))
  }

  /// The key as 40 characters.
  public var z85: String { Z85.encode(bytes) }

  /// The same as ``z85``.
  public var description: String { z85 }
}

/// The secret half of a CURVE key pair. Descriptions do not show it.
public struct CurveSecretKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The key's 32 bytes.
  public let bytes: [UInt8]

  /// - Throws: `invalidKey` unless these are 32 bytes.
  public init(bytes: [UInt8]) throws(ZeroMQError) {
    self.bytes = try checked(bytes)
  }

  /// - Throws: `invalidKey` unless this is Z85 text of 40 characters.
  public init(z85: String) throws(ZeroMQError) {
    bytes = try checked(Z85.decode(z85))
  }

  /// The key as 40 characters.
  public var z85: String { Z85.encode(bytes) }

  /// A fixed text without the key.
  public var description: String { "a secret key" }

  /// An empty mirror, so that debug output does not show the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

private func checked(_ bytes: [UInt8]?) throws(ZeroMQError) -> [UInt8] {
  guard let bytes, bytes.count == 32 else {
    throw ZeroMQError(
      .invalidKey,
      "this is no CURVE key: one is 32 bytes, or 40 characters of Z85 text",
      operation: "read a key"
    )
  }
  return bytes
}

/// Z85, a text form with 5 printable characters for 4 bytes ([RFC
/// 32](https://rfc.zeromq.org/spec/32/)).
enum Z85 {
  /// - Precondition: The number of bytes is a multiple of 4.
  static func encode(_ bytes: [UInt8]) -> String {
    precondition(bytes.count.isMultiple(of: 4), "Z85 encodes groups of 4 bytes")
    var text = [CChar](repeating: 0, count: bytes.count / 4 * 5 + 1)
    unsafe zmq_z85_encode(&text, bytes, bytes.count)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns nil if the text is not Z85.
  static func decode(_ text: String) -> [UInt8]? {
    let count = text.utf8.count
    guard count > 0, count.isMultiple(of: 5), !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count / 5 * 4)
    guard unsafe zmq_z85_decode(&bytes, text) != nil else { return nil }
    return bytes
  }
}
