/// Whether a JPEG stream is complete. It examines only markers (ITU-T T.81, annex B), which is fast
/// enough for every frame.
package enum JPEGIntegrity: Hashable, Sendable {
  /// The stream has this many bytes up to and including the end marker. Padding of the camera may
  /// follow.
  case complete(byteCount: Int)
  /// The bytes begin as a JPEG and lack its end.
  case truncated(reason: String)
  case notJPEG

  package static func check(_ bytes: RawSpan) -> JPEGIntegrity {
    guard var segments = JPEGSegments(bytes) else { return .notJPEG }
    while let segment = segments.next(in: bytes) {
      if segment.marker == JPEGSegments.Marker.startOfScan {
        return checkScan(bytes, from: segment.payload.upperBound)
      }
    }
    return .truncated(reason: "its headers do not end within its \(bytes.byteCount) bytes")
  }

  /// Inside a scan, 0xff only precedes a marker or a zero.
  private static func checkScan(_ bytes: RawSpan, from start: Int) -> JPEGIntegrity {
    var index = start
    while let mark = bytes.firstIndex(of: 0xff, from: index), mark + 1 < bytes.byteCount {
      switch bytes[mark + 1] {
      case JPEGSegments.Marker.endOfImage:
        return .complete(byteCount: mark + 2)
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
