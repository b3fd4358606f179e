extension Orientation {
  /// EXIF's orientation tag, and its type: a whole number of 16 bits (Exif 2.32, section 4.6.4).
  private static let tag = 0x0112
  private static let shortType = 3
  /// The number by which a TIFF file shows that its byte order was understood.
  private static let magic = 42

  /// How a viewer has to turn a JPEG, as its EXIF data says: upright without such data, or if they
  /// are damaged. The bytes may be hostile.
  package init(ofJPEG bytes: RawSpan) {
    self = .upright
    guard var segments = JPEGSegments(bytes) else { return }
    while let segment = segments.next(in: bytes), segment.marker != JPEGSegments.Marker.startOfScan
    {
      guard let found = Orientation(segment, of: bytes) else { continue }
      self = found
      return
    }
  }

  /// What one segment of a JPEG says; nil if it says nothing. It needs no memory of its own.
  init?(_ segment: JPEGSegments.Segment, of bytes: RawSpan) {
    guard segment.marker == JPEGFactSegments.application1,
      let value = Self.exifValue(in: bytes.extracting(segment.payload))
    else { return nil }
    self.init(exifValue: value)
  }

  /// The tag's value in an application segment; nil if there is none.
  private static func exifValue(in segment: RawSpan) -> Int? {
    let identifier = JPEGFactSegments.exifPrefix
    guard segment.byteCount >= identifier.count + 8, segment.begins(identifier) else { return nil }
    let file = segment.extracting(droppingFirst: identifier.count)
    let order = ByteOrder(isLittleEndian: file[0] == UInt8(ascii: "I"))
    guard order.short(in: file, at: 2) == magic else { return nil }
    let directory = order.long(in: file, at: 4)
    guard directory + 2 <= file.byteCount else { return nil }
    for entry in 0..<order.short(in: file, at: directory) {
      let start = directory + 2 + 12 * entry
      guard start + 12 <= file.byteCount else { return nil }
      guard order.short(in: file, at: start) == tag else { continue }
      let isOneShort =
        order.short(in: file, at: start + 2) == shortType
        && order.long(in: file, at: start + 4) == 1
      return isOneShort ? order.short(in: file, at: start + 8) : nil
    }
    return nil
  }
}

/// The order in which a TIFF file writes the bytes of its numbers.
private struct ByteOrder {
  var isLittleEndian: Bool

  func short(in file: RawSpan, at index: Int) -> Int {
    let value = file.bigEndian16(at: index)
    return isLittleEndian ? (value & 0xff) << 8 | value >> 8 : value
  }

  func long(in file: RawSpan, at index: Int) -> Int {
    let (first, second) = (short(in: file, at: index), short(in: file, at: index + 2))
    return isLittleEndian ? second << 16 | first : first << 16 | second
  }
}
