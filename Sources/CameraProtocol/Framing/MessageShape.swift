package import SwiftProtobuf

/// How often the fields of a message may occur, as far as it costs time when they are repeated.
///
/// Protobuf merges the messages of a repeated oneof. SwiftProtobuf copies everything merged so far
/// for each repetition, so a megabyte of repetitions would take a minute. And it takes a third of a
/// second for a megabyte of empty elements, and many milliseconds for a megabyte of text. The shape
/// looks for them in one pass, before SwiftProtobuf reads the message.
package struct MessageShape: Sendable {
  /// Ranges of field numbers. Of each range one field may occur, once: the fields of a oneof, or a
  /// field that holds a single message.
  private let once: [ClosedRange<UInt64>]
  /// The shapes of messages inside this one, by their fields' numbers.
  private let inner: [(number: UInt64, shape: MessageShape)]
  /// The limits of the message and of those inside it together.
  private let limits: Limits

  struct Limits {
    /// The most fields.
    var fields = Int.max
    /// The most bytes of a field that is no message.
    var fieldByteCount = Int.max
  }

  init(
    once: [ClosedRange<UInt64>] = [], inner: [UInt64: MessageShape] = [:], limits: Limits = Limits()
  ) {
    self.once = once
    self.inner = inner.map { (number: $0.key, shape: $0.value) }
    self.limits = limits
  }

  /// - Returns: `repeated`, `tooManyFields` or `fieldTooLong`; nil if the message has this shape.
  /// - Throws: `unreadable`.
  func flaw(in message: RawSpan) throws(FramingError) -> FramingError.Code? {
    var rest = limits
    return try flaw(in: message, &rest)
  }

  private func flaw(in message: RawSpan, _ rest: inout Limits) throws(FramingError)
    -> FramingError.Code?
  {
    var fields = FieldReader(message)
    var seen: UInt64 = 0
    while let field = try fields.next() {
      rest.fields -= 1
      guard rest.fields >= 0 else { return .tooManyFields }
      if let index = once.firstIndex(where: { $0.contains(field.number) }) {
        guard seen & 1 << index == 0 else { return .repeated }
        seen |= 1 << index
      }
      guard case .bytes(let number) = field else {
        try fields.skip(field)
        continue
      }
      let bytes = try fields.bytes()
      if let shape = inner.first(where: { $0.number == number })?.shape {
        if let flaw = try shape.flaw(in: bytes, &rest) { return flaw }
      } else if bytes.byteCount > rest.fieldByteCount {
        return .fieldTooLong
      }
    }
    return nil
  }
}

/// A message that comes over the wire and is read by SwiftProtobuf.
package protocol ShapedMessage: SwiftProtobuf.Message {
  static var shape: MessageShape { get }
}
