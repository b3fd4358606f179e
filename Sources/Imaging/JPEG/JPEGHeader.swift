/// The properties that a JPEG's headers state (ITU-T T.81, annex B), read without decoding.
package struct JPEGHeader: Hashable, Sendable {
  package let size: ImageSize
  /// 1 for grey, 3 for luma and chroma, 4 for print colours.
  package let componentCount: Int
  /// Nil unless there are one or three components whose sampling factors divide evenly.
  package let subsampling: ChromaSubsampling?
  /// The area of the smallest unit of the coding: 8x8 to 32x32.
  package let unitSize: ImageSize
  /// Whether the picture comes in several scans, coarse first.
  package let isProgressive: Bool
  /// False if the stream omits the standard tables, as AVI's motion JPEG and some cameras do.
  package let hasHuffmanTables: Bool

  /// - Throws: `notJPEG`, `truncated` if the bytes end before the first scan, `corrupt`,
  ///   `invalidSize`.
  package init(_ bytes: RawSpan) throws(ImagingError) {
    guard var segments = JPEGSegments(bytes) else {
      throw ImagingError(.notJPEG, "the \(bytes.byteCount) bytes do not begin as a JPEG")
    }
    var frame: FrameHeader?
    var hasHuffmanTables = false
    while let segment = segments.next(in: bytes) {
      switch segment.marker {
      case JPEGSegments.Marker.huffmanTables:
        hasHuffmanTables = true
      case let marker where JPEGSegments.Marker.isStartOfFrame(marker):
        frame = try FrameHeader(bytes.extracting(segment.payload), marker: marker)
      case JPEGSegments.Marker.startOfScan:
        guard let frame else {
          throw ImagingError(.corrupt, "the JPEG's picture begins before its frame header")
        }
        try frame.size.check()
        size = frame.size
        componentCount = frame.components.count
        subsampling = frame.subsampling
        unitSize = frame.unitSize
        isProgressive = frame.isProgressive
        self.hasHuffmanTables = hasHuffmanTables
        return
      default:
        break
      }
    }
    throw ImagingError(
      .truncated,
      "the JPEG's headers do not end within its \(bytes.byteCount) bytes"
    )
  }
}

/// A start-of-frame segment.
private struct FrameHeader {
  var size: ImageSize
  var components: [(horizontal: Int, vertical: Int)] = []
  var isProgressive: Bool

  init(_ payload: RawSpan, marker: UInt8) throws(ImagingError) {
    guard payload.byteCount >= 6, payload.byteCount >= 6 + 3 * Int(payload[5]) else {
      throw ImagingError(.corrupt, "the JPEG's frame header is too short")
    }
    size = ImageSize(width: payload.bigEndian16(at: 3), height: payload.bigEndian16(at: 1))
    isProgressive = [0xc2, 0xc6, 0xca, 0xce].contains(marker)
    for component in 0..<Int(payload[5]) {
      let factors = payload[6 + 3 * component + 1]
      components.append((Int(factors >> 4), Int(factors & 0xf)))
    }
  }

  /// A single component is coded block by block, whatever its factors.
  var unitSize: ImageSize {
    guard components.count > 1 else { return ImageSize(width: 8, height: 8) }
    return ImageSize(
      width: 8 * (components.map(\.horizontal).max() ?? 1),
      height: 8 * (components.map(\.vertical).max() ?? 1))
  }

  /// The ratio of luma to chroma samples, if both chroma planes have the same factors.
  var subsampling: ChromaSubsampling? {
    if components.count == 1 { return .grey }
    guard components.count == 3, components[1] == components[2] else { return nil }
    let (luma, chroma) = (components[0], components[1])
    guard chroma.horizontal > 0, chroma.vertical > 0,
      luma.horizontal > 0, luma.horizontal.isMultiple(of: chroma.horizontal),
      luma.vertical > 0, luma.vertical.isMultiple(of: chroma.vertical)
    else { return nil }
    return ChromaSubsampling(
      horizontal: luma.horizontal / chroma.horizontal,
      vertical: luma.vertical / chroma.vertical
    )
  }
}
