/// Writes the payloads of heartbeats, the message `Heartbeat`, one after the other, into the same
/// memory.
///
/// By hand, because a heartbeat goes out every second between frames: SwiftProtobuf's 13 000 cold
/// instructions would hold up the next frame.
package struct HeartbeatWriter: Sendable {
  /// The payload so far.
  package private(set) var bytes: [UInt8] = []
  private var fields = FieldWriter()

  package init() {}

  /// Begins another payload.
  package mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a topic and its last number as SwiftProtobuf would, byte for byte.
  /// - Parameter name: At most `Topic.maximumByteCount` bytes.
  package mutating func add(topic name: [UInt8], lastSequence: UInt64) {
    fields.clear()
    let start = fields.beginMessage(HeartbeatField.topics)
    fields.put(HeartbeatTopicField.topic, unsafe name.span.bytes)
    fields.put(HeartbeatTopicField.lastSequence, lastSequence)
    fields.endMessage(start)
    unsafe fields.bytes.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }
}
