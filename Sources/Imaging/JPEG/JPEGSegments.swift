/// Iterates over the marker segments of a JPEG stream up to its first scan (ITU-T T.81, annex B).
/// The bytes may be hostile.
struct JPEGSegments {
  struct Segment {
    var marker: UInt8
    /// The range of the segment's bytes after its length field.
    var payload: Range<Int>
  }

  enum Marker {
    static let startOfImage: UInt8 = 0xd8
    static let endOfImage: UInt8 = 0xd9
    static let startOfScan: UInt8 = 0xda
    static let huffmanTables: UInt8 = 0xc4
    /// Whether this is a start of frame, of any coding process.
    static func isStartOfFrame(_ marker: UInt8) -> Bool {
      (0xc0...0xcf).contains(marker) && ![huffmanTables, 0xc8, 0xcc].contains(marker)
    }
    /// Whether the marker has no length: TEM and the restart markers.
    static func isAlone(_ marker: UInt8) -> Bool {
      marker == 0x01 || (0xd0...0xd7).contains(marker)
    }
  }

  private var position = 2

  /// Returns nil if the bytes do not begin as a JPEG.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= 4, bytes[0] == 0xff, bytes[1] == Marker.startOfImage else {
      return nil
    }
  }

  /// Returns the next segment. Pass the same bytes to each call. Nil if none follows or it runs
  /// past the end.
  mutating func next(in bytes: RawSpan) -> Segment? {
    while position + 4 <= bytes.byteCount, bytes[position] == 0xff {
      let marker = bytes[position + 1]
      if marker == 0xff {
        position += 1
      } else if Marker.isAlone(marker) {
        position += 2
      } else {
        let length = bytes.bigEndian16(at: position + 2)
        let end = position + 2 + length
        guard ![0, Marker.startOfImage, Marker.endOfImage].contains(marker), length >= 2,
          end <= bytes.byteCount
        else { return nil }
        defer { position = end }
        return Segment(marker: marker, payload: (position + 4)..<end)
      }
    }
    return nil
  }
}

extension RawSpan {
  /// The byte at an offset. Traps beyond the end.
  subscript(index: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }

  func bigEndian16(at index: Int) -> Int {
    Int(self[index]) << 8 | Int(self[index + 1])
  }
}
