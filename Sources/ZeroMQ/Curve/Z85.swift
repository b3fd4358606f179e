import CZeroMQ

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
