/// The segments of a JPEG that tell about the photo: EXIF (Exif 2.32, section 4.5.5) and XMP
/// (ISO 16684-3).
package enum JPEGFactSegments {
  static let application1: UInt8 = 0xe1
  private static let application2: UInt8 = 0xe2
  private static let profilePrefix = Array("ICC_PROFILE\0".utf8)
  static let exifPrefix = Array("Exif\0\0".utf8)
  static let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let xmpExtensionPrefix = Array("http://ns.adobe.com/xmp/extension/\0".utf8)

  /// The most bytes in a segment after its length field.
  static let maximumByteCount = 65_533

  /// A segment with a marker and a length, or nil if it has no room for the content.
  static func segment(_ prefix: [UInt8], _ content: [UInt8]) -> [UInt8]? {
    let count = prefix.count + content.count
    guard count <= maximumByteCount else { return nil }
    let length = UInt16(count + 2)
    return [0xff, application1, UInt8(length >> 8), UInt8(length & 0xff)] + prefix + content
  }

  /// The JPEG without its EXIF and XMP segments. Everything else keeps its bytes. Nil if the bytes
  /// are not a JPEG, or end before its first scan.
  package static func removed(from image: RawSpan) -> [UInt8]? {
    guard let parts = Parts(image) else { return nil }
    return unsafe image.withUnsafeBytes { image in
      parts.kept.reduce(into: []) { bytes, range in
        unsafe bytes.append(contentsOf: image[range])
      }
    }
  }

  /// The ranges of a JPEG around these segments.
  struct Parts {
    /// From the start of the image to its end.
    private(set) var kept: [Range<Int>] = []
    /// The offset of the first scan's marker.
    let scan: Int
    /// Whether it has a profile of its own for its colours (ICC.1, annex B.4).
    private(set) var hasProfile = false

    /// Nil unless the headers are whole.
    init?(_ image: RawSpan) {
      guard var segments = JPEGSegments(image) else { return nil }
      var start = 0
      while let segment = segments.next(in: image) {
        let marker = segment.payload.lowerBound - 4
        if segment.marker == JPEGSegments.Marker.startOfScan {
          scan = marker
          kept.append(start..<image.byteCount)
          return
        }
        if segment.marker == application1, Self.tells(image.extracting(segment.payload)) {
          kept.append(start..<marker)
          start = segment.payload.upperBound
        }
        if segment.marker == application2, image.extracting(segment.payload).begins(profilePrefix) {
          hasProfile = true
        }
      }
      return nil
    }

    private static func tells(_ payload: RawSpan) -> Bool {
      // The padding byte after Exif's zero is not reliable.
      [exifPrefix.dropLast(), xmpPrefix[...], xmpExtensionPrefix[...]].contains {
        payload.begins($0)
      }
    }
  }
}

extension RawSpan {
  func begins(_ prefix: some RandomAccessCollection<UInt8>) -> Bool {
    prefix.count <= byteCount && zip(0..., prefix).allSatisfy { self[$0] == $1 }
  }
}
