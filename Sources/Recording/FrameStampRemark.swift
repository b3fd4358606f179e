/// A frame's number and exact time as a remark inside its coded picture, for files that have no
/// other place for it: an SEI message "user data unregistered" of H.264. Decoders skip it.
/// `Protocol/README.md` describes it.
enum FrameStampRemark {
  /// "CBFRAME1", and eight bytes that were drawn once.
  private static let id: [UInt8] = [
    0x43, 0x42, 0x46, 0x52, 0x41, 0x4d, 0x45, 0x31, 0x8e, 0x3c, 0x27, 0xd1, 0x5e, 0x9a, 0x4b, 0x96,
  ]
  /// The kind of a unit with remarks.
  private static let header: UInt8 = 6
  /// The message's type and its number of bytes.
  private static let message: [UInt8] = [5, 40]

  /// Appends the remark as a unit of a byte stream, with its start code.
  static func append(_ stamp: MovieFrameStamp, to bytes: inout [UInt8]) {
    bytes += [0, 0, 0, 1, header]
    var zeros = 0
    func put(_ byte: UInt8) {
      // Nothing inside a unit looks like a start code.
      if zeros == 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    for byte in message + id { put(byte) }
    stamp.forEachByte { place, byte in if place >= 8 { put(byte) } }
    put(0x80)
  }

  /// Finds the remark in a picture as containers keep it: units, each behind its length in four
  /// bytes.
  static func find(in picture: RawSpan) -> MovieFrameStamp? {
    var found: MovieFrameStamp?
    _ = forEachUnit(of: picture) { unit in
      guard found == nil, unit.count <= 128, byte(picture, unit.lowerBound) == header else {
        return
      }
      found = stamp(of: unit.dropFirst().map { byte(picture, $0) })
    }
    return found
  }

  /// Calls `body` with the place of each unit of a picture as containers keep it.
  /// - Returns: Whether it consists of whole units.
  static func forEachUnit(of picture: RawSpan, _ body: (Range<Int>) -> Void) -> Bool {
    var offset = 0
    while offset + 4 <= picture.byteCount {
      let length = Int(
        UInt32(
          bigEndian: unsafe picture.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      guard length > 0, length <= picture.byteCount - offset - 4 else { return false }
      body(offset + 4..<offset + 4 + length)
      offset += 4 + length
    }
    return offset == picture.byteCount && offset > 0
  }

  private static func stamp(of unit: [UInt8]) -> MovieFrameStamp? {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros == 2, byte == 3 {
        zeros = 0
        continue
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    let begin = message + id
    guard bytes.starts(with: begin), bytes.count >= begin.count + 24 else { return nil }
    let stamp = Array(id.prefix(8) + bytes[begin.count..<begin.count + 24])
    return unsafe MovieFrameStamp(reading: stamp.span.bytes)
  }

  private static func byte(_ bytes: RawSpan, _ index: Int) -> UInt8 {
    unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}
