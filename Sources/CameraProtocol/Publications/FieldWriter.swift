/// Writes a Protobuf message of up to 256 bytes field by field, one after the other into the same memory: `FieldReader`'s
/// other side.
///
/// It writes what SwiftProtobuf would, byte for byte, where fields come by their numbers: those that are empty or 0 are left
/// out. Each function is once in the program's memory, for code that has left the caches is slow by its size.
struct FieldWriter: Sendable {
  private var memory = InlineArray<256, UInt8>(repeating: 0)
  private var count = 0

  /// The message so far.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { unsafe memory.span.bytes.extracting(0..<count) }
  }

  mutating func clear() {
    count = 0
  }

  @inline(never)
  mutating func put(_ number: UInt8, _ value: UInt64) {
    guard value != 0 else { return }
    put(tag: number, kind: 0)
    var rest = value
    while rest > 0x7F {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(never)
  mutating func put(_ number: UInt8, _ bytes: RawSpan) {
    guard bytes.byteCount > 0 else { return }
    let start = beginMessage(number)
    for index in bytes.byteOffsets {
      put(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    endMessage(start)
  }

  /// Begins a field that is a message or bytes.
  /// - Returns: Where its length is to stand.
  mutating func beginMessage(_ number: UInt8) -> Int {
    put(tag: number, kind: 2)
    put(0)
    return count - 1
  }

  @inline(never)
  mutating func endMessage(_ start: Int) {
    let length = count - start - 1
    memory[start] = UInt8(truncatingIfNeeded: length) & 0x7F
    guard length > 0x7F else { return }
    // The length takes a second byte, and no message is so long that it takes a third.
    memory[start] |= 0x80
    put(0)
    for index in stride(from: count - 1, to: start + 1, by: -1) {
      memory[index] = memory[index - 1]
    }
    memory[start + 1] = UInt8(length >> 7)
  }

  /// Bytes of a field that was begun.
  mutating func put(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  private mutating func put(tag number: UInt8, kind: UInt8) {
    put(number << 3 | kind)
  }
}
