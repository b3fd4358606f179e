package import SwiftProtobuf

/// Which fields of a message may occur only once, as far as it costs time when they are repeated.
///
/// Protobuf merges the messages of a repeated oneof. SwiftProtobuf copies everything merged so far
/// for each repetition, so a megabyte of repetitions would take a minute. The shape finds them in
/// one pass, before SwiftProtobuf reads the message.
package struct MessageShape: Sendable {
  /// Ranges of field numbers. Of each range one field may occur, once: the fields of a oneof, or a
  /// field that holds a single message.
  private let once: [ClosedRange<UInt64>]
  /// The shapes of messages inside this one, by their fields' numbers.
  private let inner: [(number: UInt64, shape: MessageShape)]

  init(
    once: [ClosedRange<UInt64>] = [], inner: KeyValuePairs<UInt64, MessageShape> = [:]
  ) {
    self.once = once
    self.inner = inner.map { (number: $0.key, shape: $0.value) }
  }

  /// Whether nothing is repeated that may occur only once.
  /// - Throws: `unreadable`.
  func allows(_ message: RawSpan) throws(FramingError) -> Bool {
    var fields = FieldReader(message)
    var seen: UInt64 = 0
    while let field = try fields.next() {
      if let index = once.firstIndex(where: { $0.contains(field.number) }) {
        guard seen & 1 << index == 0 else { return false }
        seen |= 1 << index
      }
      if case .bytes(let number) = field,
        let shape = inner.first(where: { $0.number == number })?.shape
      {
        guard try shape.allows(try fields.bytes()) else { return false }
      } else {
        try fields.skip(field)
      }
    }
    return true
  }
}

/// A message that comes over the wire and is read by SwiftProtobuf.
package protocol ShapedMessage: SwiftProtobuf.Message {
  static var shape: MessageShape { get }
}
