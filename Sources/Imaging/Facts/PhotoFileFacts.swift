/// What a photo's file says about itself, read without decoding its picture.
///
/// The bytes may be of any file: every length in them is checked.
package struct PhotoFileFacts: Hashable, Sendable {
  /// A kind of file of which this reads the size.
  package enum Form: Sendable {
    case jpeg, png
    /// TIFF and DNG.
    case tiff
    /// AVIF and HEIC.
    case heif
  }

  package var size: ImageSize
  /// What people call the photo.
  package var description: String?
  /// Words by which people find it.
  package var keywords: [String]

  /// How many bytes of a file's beginning and of its end are needed.
  package static let byteCount = 1 << 20

  /// Nil for a file of another form, and for one that does not say its size.
  /// - Parameters:
  ///   - head: The first bytes of the file, up to ``byteCount``.
  ///   - tail: The last ones, up to as many.
  package init?(_ form: Form, head: [UInt8], tail: [UInt8]) {
    let size =
      switch form {
      case .jpeg: try? unsafe JPEGHeader(head.span.bytes).size
      case .png: Self.sizeOfPNG(head)
      case .tiff: Self.sizeOfTIFF(head)
      case .heif: Self.sizeOfHEIF(head)
      }
    guard let size, (try? size.check()) != nil else { return nil }
    self.size = size
    // It is near the beginning or near the end, whatever the form.
    let packet = XMPText(in: head) ?? XMPText(in: tail)
    description = packet?.description
    keywords = packet?.keywords ?? []
  }

  /// The first chunk of a PNG has its size (PNG specification, third edition, 11.2.1).
  private static func sizeOfPNG(_ head: [UInt8]) -> ImageSize? {
    guard PNGDecoder.isPNG(head), head.dropFirst(12).starts(with: Array("IHDR".utf8)) else {
      return nil
    }
    return size(head.bigEndian32(at: 16), head.bigEndian32(at: 20))
  }

  /// The first directory of a file has its picture's size (TIFF 6.0, section 2). Nodes write it at
  /// the beginning.
  private static func sizeOfTIFF(_ head: [UInt8]) -> ImageSize? {
    guard head.starts(with: Array("II*\0".utf8)), let directory = head.littleEndian32(at: 4),
      let count = head.littleEndian16(at: directory)
    else { return nil }
    func value(_ tag: TIFFTag) -> Int? {
      for entry in stride(from: directory + 2, to: directory + 2 + 12 * count, by: 12)
      where head.littleEndian16(at: entry) == Int(tag.rawValue) {
        // A SHORT or a LONG.
        return head.littleEndian16(at: entry + 2) == 3
          ? head.littleEndian16(at: entry + 8) : head.littleEndian32(at: entry + 8)
      }
      return nil
    }
    return size(value(.imageWidth), value(.imageLength))
  }

  /// The largest of the sizes of a HEIF's pictures, of which others are its preview or the tiles of
  /// a grid (ISO 23008-12, section 6.5.3).
  private static func sizeOfHEIF(_ head: [UInt8]) -> ImageSize? {
    guard head.dropFirst(4).starts(with: Array("ftyp".utf8)) else { return nil }
    var largest: ImageSize?
    var rest = head[...]
    while let place = rest.range(of: "ispe") {
      rest = rest[place.upperBound...]
      // After the box's version and flags.
      let start = place.upperBound + 4
      guard let size = size(head.bigEndian32(at: start), head.bigEndian32(at: start + 4)) else {
        continue
      }
      if size.width * size.height > largest.map({ $0.width * $0.height }) ?? 0 { largest = size }
    }
    return largest
  }

  private static func size(_ width: Int?, _ height: Int?) -> ImageSize? {
    guard let width, let height, 1...0xffff ~= width, 1...0xffff ~= height else { return nil }
    return ImageSize(width: width, height: height)
  }
}

extension [UInt8] {
  fileprivate func bigEndian32(at offset: Int) -> Int? {
    guard offset >= 0, count - offset >= 4 else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate func littleEndian32(at offset: Int) -> Int? {
    guard offset >= 0, count - offset >= 4 else { return nil }
    return self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate func littleEndian16(at offset: Int) -> Int? {
    guard offset >= 0, count - offset >= 2 else { return nil }
    return Int(self[offset]) | Int(self[offset + 1]) << 8
  }
}
