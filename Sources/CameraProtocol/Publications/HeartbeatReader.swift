/// Reads the payload of a heartbeat, the message `Heartbeat`, in place.
package enum HeartbeatReader {
  /// Tells each topic's name and last number.
  /// - Throws: `tooLong`, `unreadable`.
  package static func read(
    _ payload: RawSpan,
    _ take: (_ topic: RawSpan, _ lastSequence: UInt64) -> Void
  ) throws(FramingError) {
    try Framing.check(byteCount: payload.byteCount)
    var fields = FieldReader(payload)
    while let field = try fields.next() {
      switch field {
      case .bytes(1): try readTopic(try fields.bytes(), take)
      default: try fields.skip(field)
      }
    }
  }

  private static func readTopic(
    _ bytes: RawSpan,
    _ take: (RawSpan, UInt64) -> Void
  ) throws(FramingError) {
    var name = RawSpan()
    var lastSequence: UInt64 = 0
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .bytes(1): name = try fields.bytes()
      case .varint(2): lastSequence = try fields.varint()
      default: try fields.skip(field)
      }
    }
    take(name, lastSequence)
  }
}
