/// Whether a JPEG code stream is whole, told from its markers alone (ITU-T T.81, annex B): cheap enough for every frame.
package enum JPEGIntegrity: Hashable, Sendable {
  /// Whole; its bytes up to and including the end marker. What follows is the camera's padding.
  case complete(byteCount: Int)
  /// It begins as a JPEG and lacks its end.
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

  /// In a scan 0xff stands before a marker only, or before a zero.
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
