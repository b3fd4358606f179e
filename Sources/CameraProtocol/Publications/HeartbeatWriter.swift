/// Writes heartbeats' payloads, the message `Heartbeat`, one after the other, into the same memory.
///
/// One goes out every second between the frames, which would wait for the code of SwiftProtobuf to come from memory.
package struct HeartbeatWriter: Sendable {
  /// The payload so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Begins another one.
  package mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a topic and its last number, as SwiftProtobuf would, byte for byte.
  package mutating func add(topic name: [UInt8], lastSequence: UInt64) {
    put(0x0A)
    put(varint: UInt64(Self.size(ofName: name) + Self.size(ofSequence: lastSequence)))
    if !name.isEmpty {
      put(0x0A)
      put(varint: UInt64(name.count))
      bytes.append(contentsOf: name)
    }
    if lastSequence != 0 {
      put(0x10)
      put(varint: lastSequence)
    }
  }

  // MARK: Fields with their tags; those that are empty or 0 are left out

  private static func size(ofName name: [UInt8]) -> Int {
    name.isEmpty ? 0 : 1 + size(ofVarint: UInt64(name.count)) + name.count
  }

  private static func size(ofSequence number: UInt64) -> Int {
    number == 0 ? 0 : 1 + size(ofVarint: number)
  }

  private static func size(ofVarint number: UInt64) -> Int {
    (max(UInt64.bitWidth - number.leadingZeroBitCount, 1) + 6) / 7
  }

  private mutating func put(varint number: UInt64) {
    var rest = number
    while rest > 0x7F {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(never)
  private mutating func put(_ byte: UInt8) {
    bytes.append(byte)
  }
}
