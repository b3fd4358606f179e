/// Puts what is known about a photo into a camera's JPEG: EXIF and XMP directly after the start of
/// the image, and the standard Huffman tables if the camera left them out.
///
/// EXIF and XMP of the camera are left out, because they may contradict. Everything else keeps its
/// bytes.
package struct JPEGFactsInsertion: Sendable {
  /// The most bytes by which a JPEG grows.
  package static let maximumGrowth =
    2 * (4 + JPEGFactSegments.maximumByteCount) + JPEGHuffmanTables.byteCount

  /// The bytes of the result.
  package let byteCount: Int
  private let sourceByteCount: Int
  private let pieces: [Piece]

  private enum Piece {
    case source(Range<Int>)
    case new([UInt8])

    var byteCount: Int {
      switch self {
      case .source(let range): range.count
      case .new(let bytes): bytes.count
      }
    }
  }

  /// Examines a JPEG, whose bytes may be hostile.
  /// - Parameter thumbnail: A small JPEG. It is left out if it has no room.
  /// - Throws: As `JPEGHeader`. Such a picture can only be kept as it is.
  package init(
    into image: RawSpan, _ facts: PhotoFacts, thumbnail: [UInt8] = []
  ) throws(ImagingError) {
    let header = try JPEGHeader(image)
    guard let parts = JPEGFactSegments.Parts(image) else {
      throw ImagingError(.truncated, "the JPEG's headers do not end")
    }
    // The start of the image takes two bytes.
    var pieces: [Piece] = [.source(0..<2)]
    pieces += Self.segments(
      facts, header.size, parts.hasProfile ? .uncalibrated : .sRGB, thumbnail
    ).map { .new($0) }
    for range in parts.kept {
      let range = max(2, range.lowerBound)..<range.upperBound
      if !header.hasHuffmanTables, range.contains(parts.scan) {
        pieces.append(.source(range.lowerBound..<parts.scan))
        pieces.append(.new(JPEGHuffmanTables.segment))
        pieces.append(.source(parts.scan..<range.upperBound))
      } else {
        pieces.append(.source(range))
      }
    }
    self.pieces = pieces
    sourceByteCount = image.byteCount
    byteCount = pieces.reduce(0) { $0 + $1.byteCount }
  }

  /// Writes the JPEG with the facts.
  /// - Parameters:
  ///   - image: The bytes that were examined.
  ///   - output: Room for `byteCount` bytes.
  /// - Returns: The number of bytes written.
  /// - Throws: `shortInput` for another image, `shortOutput`.
  package func write(
    _ image: RawSpan, into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    guard image.byteCount >= sourceByteCount else {
      throw ImagingError(
        .shortInput, "the JPEG had \(sourceByteCount) bytes and has \(image.byteCount)")
    }
    guard output.byteCount >= byteCount else {
      throw ImagingError(
        .shortOutput, "the JPEG needs \(byteCount) bytes, and there is room for \(output.byteCount)"
      )
    }
    unsafe output.withUnsafeMutableBytes { output in
      unsafe image.withUnsafeBytes { image in
        var start = 0
        for piece in pieces {
          let target = unsafe UnsafeMutableRawBufferPointer(rebasing: output[start...])
          switch piece {
          case .source(let range):
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: image[range]))
          case .new(let bytes):
            unsafe target.copyBytes(from: bytes)
          }
          start += piece.byteCount
        }
      }
    }
    return byteCount
  }

  private static func segments(
    _ facts: PhotoFacts, _ size: ImageSize, _ colorSpace: ColorSpace, _ thumbnail: [UInt8]
  ) -> [[UInt8]] {
    func exif(_ thumbnail: [UInt8]) -> [UInt8]? {
      JPEGFactSegments.segment(
        JPEGFactSegments.exifPrefix,
        Exif.stream(facts, size: size, colorSpace, thumbnail: thumbnail))
    }
    let xmp = JPEGFactSegments.segment(JPEGFactSegments.xmpPrefix, XMP.packet(facts))
    return [exif(thumbnail) ?? exif([]), xmp].compactMap(\.self)
  }
}
