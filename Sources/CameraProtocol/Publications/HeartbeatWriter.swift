/// Writes heartbeats' payloads, the message `Heartbeat`, one after the other, into the same memory.
///
/// One goes out every second between the frames, which would wait for the code of SwiftProtobuf to come from memory.
package struct HeartbeatWriter: Sendable {
  /// The payload so far.
  package private(set) var bytes: [UInt8] = []
  private var fields = FieldWriter()

  package init() {}

  /// Begins another one.
  package mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a topic and its last number, as SwiftProtobuf would, byte for byte.
  /// - Parameter name: At most `Topic.maximumByteCount` bytes.
  package mutating func add(topic name: [UInt8], lastSequence: UInt64) {
    fields.clear()
    let start = fields.beginMessage(1)
    fields.put(1, unsafe name.span.bytes)
    fields.put(2, lastSequence)
    fields.endMessage(start)
    unsafe fields.bytes.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }
}
