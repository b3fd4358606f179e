/// One coded picture of H.264 as a byte stream (Annex B): units, each behind a start code `00 00
/// 01`. Pure.
package struct AccessUnit {
  /// What a unit is for.
  enum Kind: Hashable {
    /// The settings of the whole sequence or of pictures: nothing is decoded without them.
    case parameters
    /// A picture that needs no other one.
    case keyPicture
    case picture
    /// Anything else, such as remarks and delimiters.
    case other
  }

  /// A unit's place in the bytes, without its start code, and what it is for.
  struct Unit: Hashable {
    var bytes: Range<Int>
    var kind: Kind
  }

  let units: [Unit]

  /// - Returns: Nil for bytes that are no such stream.
  package init?(_ bytes: RawSpan, _ codec: VideoCodec) {
    guard codec.hasDependentPictures else { return nil }
    var units: [Unit] = []
    var start = Self.startCode(in: bytes, from: 0)
    // Only zeros stand before the first start code.
    guard let first = start, (0..<first).allSatisfy({ Self.byte(bytes, $0) == 0 }) else {
      return nil
    }
    while let code = start {
      let begin = code + 3
      let next = Self.startCode(in: bytes, from: begin)
      // The zeros before a start code are not of the unit, which never ends with one.
      var end = next ?? bytes.byteCount
      while end > begin, Self.byte(bytes, end - 1) == 0 { end -= 1 }
      if end > begin {
        units.append(Unit(bytes: begin..<end, kind: Self.kind(Self.byte(bytes, begin))))
      }
      start = next
    }
    guard !units.isEmpty else { return nil }
    self.units = units
  }

  /// Whether a decoder can begin with it: it has a picture that needs no other one, and the
  /// parameters.
  package var isKey: Bool {
    units.contains { $0.kind == .keyPicture } && units.contains { $0.kind == .parameters }
  }

  /// Whether there is a picture.
  package var hasPicture: Bool {
    units.contains { $0.kind == .keyPicture || $0.kind == .picture }
  }

  /// Where remarks for the picture may stand: before its first slice.
  var firstSlice: Int? {
    units.first { $0.kind == .keyPicture || $0.kind == .picture }.map { $0.bytes.lowerBound }
  }

  /// The parameters with their start codes, as a container keeps them.
  func parameters(of bytes: RawSpan) -> [UInt8] {
    var result: [UInt8] = []
    for unit in units where unit.kind == .parameters {
      result += [0, 0, 0, 1]
      for index in unit.bytes { result.append(Self.byte(bytes, index)) }
    }
    return result
  }

  private static func kind(_ header: UInt8) -> Kind {
    switch header & 0x1f {
    case 7, 8: .parameters
    case 5: .keyPicture
    case 1...4: .picture
    default: .other
    }
  }

  /// The place of the next `00 00 01`; nil if there is none.
  private static func startCode(in bytes: RawSpan, from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.byteCount {
      // The third byte decides how far the next one can be.
      switch byte(bytes, index + 2) {
      case 0: index += 1
      case 1:
        if byte(bytes, index) == 0, byte(bytes, index + 1) == 0 { return index }
        index += 3
      default: index += 3
      }
    }
    return nil
  }

  private static func byte(_ bytes: RawSpan, _ index: Int) -> UInt8 {
    unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}
