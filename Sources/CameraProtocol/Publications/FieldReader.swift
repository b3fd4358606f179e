/// Reads a Protobuf message field by field, in place.
///
/// After `next` has returned a field, read its value with the call for its kind, or pass over it
/// with `skip`. Functions that are called in many places are kept out of line, because a frame's
/// header is read by code that has left the caches, and such code is slow by its size.
struct FieldReader: ~Escapable {
  enum Field: Equatable {
    /// A field of this number; read its value with `varint()`.
    case varint(UInt64)
    /// A field of this number that holds bytes, text or a message; read it with `bytes()`.
    case bytes(UInt64)
    /// A field of this number that holds a `double`; read it with `double()`.
    case eightBytes(UInt64)
    /// Kinds that none of our fields has.
    case fourBytes(UInt64), group(UInt64), groupEnd(UInt64)

    var number: UInt64 {
      switch self {
      case .varint(let number), .bytes(let number), .eightBytes(let number),
        .fourBytes(let number), .group(let number), .groupEnd(let number):
        number
      }
    }
  }

  private let span: RawSpan
  private var offset = 0

  @_lifetime(copy span)
  init(_ span: RawSpan) {
    self.span = span
  }

  /// The next field, or nil at the end of the message.
  @inline(never)
  mutating func next() throws(FramingError) -> Field? {
    guard offset < span.byteCount else { return nil }
    let start = offset
    let tag = try varint()
    // A tag has 32 bits, which take at most five bytes.
    guard offset - start <= 5, tag <= UInt64(UInt32.max) else { throw Self.unreadable }
    return try Self.field(tag)
  }

  private static func field(_ tag: UInt64) throws(FramingError) -> Field {
    let number = tag >> 3
    guard number > 0 else { throw unreadable }
    return switch tag & 7 {
    case 0: .varint(number)
    case 1: .eightBytes(number)
    case 2: .bytes(number)
    case 3: .group(number)
    case 4: .groupEnd(number)
    case 5: .fourBytes(number)
    default: throw unreadable
    }
  }

  @inline(never)
  mutating func varint() throws(FramingError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard offset < span.byteCount else { throw Self.unreadable }
      let byte = unsafe span.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Self.unreadable
  }

  @_lifetime(copy self)
  @inline(never)
  mutating func bytes() throws(FramingError) -> RawSpan {
    let count = try varint()
    guard count <= UInt64(span.byteCount - offset) else { throw Self.unreadable }
    let start = offset
    offset += Int(count)
    return span.extracting(start..<offset)
  }

  @inline(never)
  mutating func double() throws(FramingError) -> Double {
    let start = offset
    try skip(8)
    var pattern: UInt64 = 0
    for index in (start..<offset).reversed() {
      pattern =
        pattern << 8
        | UInt64(unsafe span.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))
    }
    return Double(bitPattern: pattern)
  }

  @inline(never)
  mutating func skip(_ field: Field) throws(FramingError) {
    switch field {
    case .varint: _ = try varint()
    case .bytes: _ = try bytes()
    case .eightBytes: try skip(8)
    case .fourBytes: try skip(4)
    case .group(let number): try skipGroup(number)
    case .groupEnd: throw Self.unreadable
    }
  }

  private mutating func skip(_ count: Int) throws(FramingError) {
    guard count <= span.byteCount - offset else { throw Self.unreadable }
    offset += count
  }

  /// Iterative, because the sender controls the nesting depth.
  private mutating func skipGroup(_ number: UInt64) throws(FramingError) {
    var open = [number]
    while let innermost = open.last {
      // As SwiftProtobuf does, accept tags of any length inside an unknown group.
      let tag = try varint()
      guard tag < UInt64(UInt32.max) else { throw Self.unreadable }
      switch try Self.field(tag) {
      case .group(let number): open.append(number)
      case .groupEnd(innermost): open.removeLast()
      case let field: try skip(field)
      }
    }
  }

  static var unreadable: FramingError {
    FramingError(
      .unreadable, "the part is no Protobuf message: check how it is encoded")
  }
}
