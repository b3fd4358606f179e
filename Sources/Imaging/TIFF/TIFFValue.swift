/// What an entry of a TIFF directory holds (TIFF 6.0, section 2).
enum TIFFValue: Hashable, Sendable {
  case bytes([UInt8])
  /// Text of ASCII characters. A zero byte ends it in the file.
  case ascii(String)
  case shorts([UInt16])
  case longs([UInt32])
  case rationals([Rational<UInt32>])
  case signedBytes([Int8])
  case undefined([UInt8])
  case signedShorts([Int16])
  case signedLongs([Int32])
  case signedRationals([Rational<Int32>])
  /// The offset of another directory, which the writer writes too.
  indirect case directory(TIFFDirectory)
  /// The offsets of blocks of bytes, which the writer writes too.
  case blocks([ArraySlice<UInt8>])

  static func short(_ value: UInt16) -> TIFFValue { .shorts([value]) }
  static func long(_ value: Int) -> TIFFValue { .longs([UInt32(clamping: value)]) }
  static func rational(_ value: Rational<UInt32>) -> TIFFValue { .rationals([value]) }

  /// Text of ASCII characters that begins with the name of its code (Exif 2.32, section 4.6.5).
  static func asciiWithCode(_ text: String) -> TIFFValue {
    .undefined(Array("ASCII\0\0\0".utf8) + Array(text.utf8))
  }

  /// The number of the type.
  var type: UInt16 {
    switch self {
    case .bytes: 1
    case .ascii: 2
    case .shorts: 3
    case .longs, .directory, .blocks: 4
    case .rationals: 5
    case .signedBytes: 6
    case .undefined: 7
    case .signedShorts: 8
    case .signedLongs: 9
    case .signedRationals: 10
    }
  }

  /// How many values there are.
  var count: Int {
    switch self {
    case .bytes(let values), .undefined(let values): values.count
    case .ascii(let text): text.utf8.count + 1
    case .shorts(let values): values.count
    case .longs(let values): values.count
    case .rationals(let values): values.count
    case .signedBytes(let values): values.count
    case .signedShorts(let values): values.count
    case .signedLongs(let values): values.count
    case .signedRationals(let values): values.count
    case .directory: 1
    case .blocks(let blocks): blocks.count
    }
  }

  /// The values in the file's byte order, with zeros in place of offsets.
  var encoded: [UInt8] {
    switch self {
    case .bytes(let values), .undefined(let values): values
    case .ascii(let text): Array(text.utf8) + [0]
    case .shorts(let values): values.flatMap(\.littleEndianBytes)
    case .longs(let values): values.flatMap(\.littleEndianBytes)
    case .rationals(let values): values.flatMap(Self.encoded)
    case .signedBytes(let values): values.map { UInt8(bitPattern: $0) }
    case .signedShorts(let values): values.flatMap(\.littleEndianBytes)
    case .signedLongs(let values): values.flatMap(\.littleEndianBytes)
    case .signedRationals(let values): values.flatMap(Self.encoded)
    case .directory: [0, 0, 0, 0]
    case .blocks(let blocks): [UInt8](repeating: 0, count: 4 * blocks.count)
    }
  }

  private static func encoded<Part>(_ value: Rational<Part>) -> [UInt8] {
    value.numerator.littleEndianBytes + value.denominator.littleEndianBytes
  }
}

extension FixedWidthInteger {
  /// The number's bytes, lowest first.
  var littleEndianBytes: [UInt8] {
    (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
