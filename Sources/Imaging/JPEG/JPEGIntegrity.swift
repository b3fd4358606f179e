import Glibc

/// What a complete JPEG stream says of itself.
package struct JPEGSummary: Hashable, Sendable {
  /// The bytes up to and including the end marker. Padding of the camera may follow.
  package var byteCount: Int
  /// Nil if the headers state none.
  package var size: ImageSize?
  /// How a viewer has to turn the picture, by its EXIF data.
  package var orientation: Orientation

  package init(
    byteCount: Int = 0, size: ImageSize? = nil, orientation: Orientation = .upright
  ) {
    self.byteCount = byteCount
    self.size = size
    self.orientation = orientation
  }
}

/// Whether a JPEG stream is complete. It examines only markers (ITU-T T.81, annex B), in one walk
/// and without memory of its own, which is fast enough for every frame.
package enum JPEGIntegrity: Hashable, Sendable {
  case complete(JPEGSummary)
  /// The bytes begin as a JPEG and lack its end.
  case truncated(reason: String)
  case notJPEG

  package static func check(_ bytes: RawSpan) -> JPEGIntegrity {
    guard var segments = JPEGSegments(bytes) else { return .notJPEG }
    var summary = JPEGSummary()
    var orientation: Orientation?
    while let segment = segments.next(in: bytes) {
      switch segment.marker {
      case JPEGSegments.Marker.startOfScan:
        summary.orientation = orientation ?? .upright
        return checkScan(bytes, from: segment.payload.upperBound, summary)
      case let marker where JPEGSegments.Marker.isStartOfFrame(marker):
        guard summary.size == nil, segment.payload.count >= 6 else { continue }
        let payload = bytes.extracting(segment.payload)
        summary.size = ImageSize(
          width: payload.bigEndian16(at: 3), height: payload.bigEndian16(at: 1))
      default:
        orientation = orientation ?? Orientation(segment, of: bytes)
      }
    }
    return .truncated(reason: "its headers do not end within its \(bytes.byteCount) bytes")
  }

  /// Inside a scan, 0xff only precedes a marker or a zero.
  private static func checkScan(
    _ bytes: RawSpan, from start: Int, _ summary: JPEGSummary
  ) -> JPEGIntegrity {
    var index = start
    while let mark = bytes.firstIndex(of: 0xff, from: index), mark + 1 < bytes.byteCount {
      switch bytes[mark + 1] {
      case JPEGSegments.Marker.endOfImage:
        var summary = summary
        summary.byteCount = mark + 2
        return .complete(summary)
      case JPEGSegments.Marker.startOfImage:
        return .truncated(reason: "another picture begins at its byte \(mark)")
      case 0xff:
        index = mark + 1
      default:
        index = mark + 2
      }
    }
    return .truncated(reason: "it has no end marker within its \(bytes.byteCount) bytes")
  }
}

extension RawSpan {
  /// The index of the first such byte at or after `start`, or nil.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < byteCount else { return nil }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
