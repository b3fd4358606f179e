/// Finds lost pictures of H.264 by the numbers that its pictures have (`frame_num`, ITU-T H.264,
/// 7.4.3). A decoder conceals them. Pure.
package struct PictureNumbers {
  /// What the parameters of the sequence say of the numbers.
  private struct Counting {
    var bits: Int
    var hasColorPlanes: Bool
    /// Whether some pictures may be left out by the encoder.
    var mayHaveGaps: Bool
  }

  private var counting: Counting?
  /// That of the last picture that others may need.
  private var last: UInt32?

  package init() {}

  /// Takes the next picture.
  /// - Returns: Whether one that it may need is missing before it. False if that is not known.
  package mutating func hasGap(before picture: AccessUnit, of bytes: RawSpan) -> Bool {
    guard picture.standard == .h264 else { return false }
    for unit in picture.units where unit.type == 7 { counting = Self.counting(in: unit, of: bytes) }
    let slice = picture.units.first { $0.kind == .keyPicture || $0.kind == .picture }
    guard let slice, let counting, let number = Self.number(in: slice, of: bytes, counting) else {
      return false
    }
    let isNeeded = picture.header(of: slice, in: bytes) & 0x60 != 0
    defer { if isNeeded { last = number } }
    guard slice.kind == .picture, let last, !counting.mayHaveGaps else { return false }
    return number != last && number != (last + 1) & (1 << UInt32(counting.bits) - 1)
  }

  /// The number that a slice has of its picture.
  private static func number(
    in slice: AccessUnit.Unit, of bytes: RawSpan, _ counting: Counting
  ) -> UInt32? {
    var bits = UnitBits(slice, of: bytes, most: 32)
    // The first macroblock, the kind of the slice, and the parameters of the picture.
    for _ in 0..<3 { guard bits.number() != nil else { return nil } }
    if counting.hasColorPlanes { _ = bits.read(2) }
    return bits.read(counting.bits)
  }

  /// Reads parameters of a sequence (7.3.2.1.1) as far as it is needed.
  private static func counting(in unit: AccessUnit.Unit, of bytes: RawSpan) -> Counting? {
    var bits = UnitBits(unit, of: bytes, most: 1024)
    guard let profile = bits.read(8), bits.read(16) != nil, bits.number() != nil else { return nil }
    var hasColorPlanes = false
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
      guard let chroma = bits.number() else { return nil }
      if chroma == 3 { hasColorPlanes = bits.read(1) == 1 }
      guard bits.number() != nil, bits.number() != nil, bits.read(1) != nil,
        let hasScaling = bits.read(1)
      else { return nil }
      if hasScaling == 1 {
        for index in 0..<(chroma == 3 ? 12 : 8) { bits.skipScaling(index < 6 ? 16 : 64) }
      }
    }
    guard let length = bits.number(), length <= 12, let order = bits.number() else { return nil }
    switch order {
    case 0: _ = bits.number()
    case 1:
      guard bits.read(1) != nil, bits.signed() != nil, bits.signed() != nil,
        let count = bits.number(), count <= 255
      else { return nil }
      for _ in 0..<count { _ = bits.signed() }
    default: break
    }
    guard bits.number() != nil, let mayHaveGaps = bits.read(1) else { return nil }
    return Counting(
      bits: Int(length) + 4, hasColorPlanes: hasColorPlanes, mayHaveGaps: mayHaveGaps == 1)
  }
}

/// The bits of a unit behind its header. Its end gives nil for ever.
private struct UnitBits {
  private var bytes: [UInt8] = []
  private var place = 0

  /// - Parameter most: How many bytes are read at most.
  init(_ unit: AccessUnit.Unit, of span: RawSpan, most: Int) {
    var zeros = 0
    for index in unit.bytes.dropFirst().prefix(most) {
      let byte = unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      // A 3 behind two zeros is no part of the content (7.4.1.1).
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
  }

  mutating func read(_ count: Int) -> UInt32? {
    guard place + count <= bytes.count * 8 else {
      place = bytes.count * 8
      return nil
    }
    var value: UInt32 = 0
    for _ in 0..<count {
      value = value << 1 | UInt32(bytes[place / 8] >> UInt8(7 - place % 8) & 1)
      place += 1
    }
    return value
  }

  /// A number of a length that it says itself (`ue(v)`, 9.1).
  mutating func number() -> UInt32? {
    var zeros = 0
    while let bit = read(1) {
      if bit == 1 { return read(zeros).map { (1 << UInt32(zeros) - 1) + $0 } }
      zeros += 1
      guard zeros < 32 else { return nil }
    }
    return nil
  }

  /// A number with a sign (`se(v)`, 9.1.1).
  mutating func signed() -> Int? {
    number().map { $0 & 1 == 1 ? Int($0 / 2) + 1 : -Int($0 / 2) }
  }

  /// Skips a scaling list, if there is one (7.3.2.1.1.1).
  mutating func skipScaling(_ count: Int) {
    guard read(1) == 1 else { return }
    var (last, next) = (8, 8)
    for _ in 0..<count {
      if next != 0 {
        guard let delta = signed() else { return }
        next = (last + delta + 256) & 255
      }
      last = next == 0 ? last : next
    }
  }
}
