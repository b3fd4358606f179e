/// Writes a Protobuf message of up to 384 bytes field by field, each message into the same memory.
/// The counterpart of `FieldReader`.
///
/// If fields are written in the order of their numbers, the bytes are those that SwiftProtobuf
/// writes: fields that are empty or 0 are left out. Functions that are called in many places are
/// kept out of line, because a header is written by code that has left the caches, and such code is
/// slow by its size.
struct FieldWriter: Sendable {
  /// The kinds of fields that our headers have (Protobuf: wire types).
  private enum Kind {
    static let varint: UInt64 = 0
    static let eightBytes: UInt64 = 1
    static let bytes: UInt64 = 2
  }

  private var memory = InlineArray<384, UInt8>(repeating: 0)
  private var count = 0

  /// The message so far.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { unsafe memory.span.bytes.extracting(0..<count) }
  }

  mutating func clear() {
    count = 0
  }

  @inline(__always)
  mutating func put(_ field: some FieldNumber, _ value: UInt64) {
    put(number: field.rawValue, value)
  }

  /// A field with presence, which is written even if it is 0.
  @inline(__always)
  mutating func put(_ field: some FieldNumber, _ value: Double?) {
    if let value { put(number: field.rawValue, value) }
  }

  /// A field with presence, which is written even if it is false.
  @inline(__always)
  mutating func put(_ field: some FieldNumber, _ value: Bool?) {
    if let value { put(number: field.rawValue, value) }
  }

  @inline(__always)
  mutating func put(_ field: some FieldNumber, _ bytes: RawSpan) {
    put(number: field.rawValue, bytes)
  }

  /// Begins a field that is a message or bytes.
  /// - Returns: The place of its length, for `endMessage`.
  @inline(__always)
  mutating func beginMessage(_ field: some FieldNumber) -> Int {
    beginMessage(number: field.rawValue)
  }

  @inline(never)
  mutating func endMessage(_ start: Int) {
    let length = count - start - 1
    memory[start] = UInt8(truncatingIfNeeded: length) & 0x7F
    guard length > 0x7F else { return }
    // The length needs a second byte. No message is so long that it needs a third.
    memory[start] |= 0x80
    put(0)
    for index in stride(from: count - 1, to: start + 1, by: -1) {
      memory[index] = memory[index - 1]
    }
    memory[start + 1] = UInt8(length >> 7)
  }

  /// Adds a byte to a field that was begun.
  mutating func put(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  @inline(never)
  private mutating func put(number: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    putTag(number, Kind.varint)
    var rest = value
    while rest > 0x7F {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(never)
  private mutating func put(number: UInt64, _ value: Double) {
    putTag(number, Kind.eightBytes)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      put(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
    }
  }

  @inline(never)
  private mutating func put(number: UInt64, _ value: Bool) {
    putTag(number, Kind.varint)
    put(value ? 1 : 0)
  }

  @inline(never)
  private mutating func put(number: UInt64, _ bytes: RawSpan) {
    guard bytes.byteCount > 0 else { return }
    let start = beginMessage(number: number)
    for index in bytes.byteOffsets {
      put(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    endMessage(start)
  }

  private mutating func beginMessage(number: UInt64) -> Int {
    putTag(number, Kind.bytes)
    put(0)
    return count - 1
  }

  /// Numbers up to 15 fit into one byte with their kind, and no header has any above 2047.
  private mutating func putTag(_ number: UInt64, _ kind: UInt64) {
    let tag = number << 3 | kind
    guard tag > 0x7F else { return put(UInt8(truncatingIfNeeded: tag)) }
    put(UInt8(truncatingIfNeeded: tag) | 0x80)
    put(UInt8(truncatingIfNeeded: tag >> 7))
  }
}

/// The field numbers of a message that is read and written by hand, named as in its .proto file.
protocol FieldNumber: RawRepresentable<UInt64>, CaseIterable, Sendable {}
