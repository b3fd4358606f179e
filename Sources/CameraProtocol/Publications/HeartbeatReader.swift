/// Reads the payload of a heartbeat, the message `Heartbeat`, in place.
package enum HeartbeatReader {
  /// Calls `take` with the name and the last number of each topic.
  /// - Throws: `tooLong`, `unreadable`.
  package static func read(
    _ payload: RawSpan,
    _ take: (_ topic: RawSpan, _ lastSequence: UInt64) -> Void
  ) throws(FramingError) {
    try Framing.check(byteCount: payload.byteCount)
    var fields = FieldReader(payload)
    while let field = try fields.next() {
      switch field {
      case .bytes(HeartbeatField.topics.rawValue): try readTopic(try fields.bytes(), take)
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
      case .bytes(HeartbeatTopicField.topic.rawValue): name = try fields.bytes()
      case .varint(HeartbeatTopicField.lastSequence.rawValue): lastSequence = try fields.varint()
      default: try fields.skip(field)
      }
    }
    take(name, lastSequence)
  }
}
