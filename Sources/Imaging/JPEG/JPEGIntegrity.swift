/// Whether a JPEG code stream is whole, told from its markers alone (ITU-T T.81, annex B): cheap enough for every frame.
package enum JPEGIntegrity: Hashable, Sendable {
  /// Whole; its bytes up to and including the end marker. Cameras pad what follows.
  case complete(byteCount: Int)
  /// It begins as a JPEG and lacks its end.
  case truncated(reason: String)
  case notJPEG

  private static let startOfImage: UInt8 = 0xd8
  private static let endOfImage: UInt8 = 0xd9
  private static let startOfScan: UInt8 = 0xda

  package static func check(_ bytes: RawSpan) -> JPEGIntegrity {
    guard bytes.byteCount >= 4, bytes[0] == 0xff, bytes[1] == startOfImage else { return .notJPEG }
    guard let scan = startOfScanData(bytes) else {
      return .truncated(reason: "its headers run past its \(bytes.byteCount) bytes")
    }
    // From the end: padding is short, pictures are long. Inside the scan 0xff is always followed by 0 or a restart
    // marker, so the last end marker is the picture's own.
    var index = bytes.byteCount - 1
    while index > scan {
      if bytes[index] == endOfImage, bytes[index - 1] == 0xff {
        return .complete(byteCount: index + 1)
      }
      index -= 1
    }
    return .truncated(reason: "it has no end marker in its \(bytes.byteCount) bytes")
  }

  /// Where the first scan's header begins, or nil when the segments before it do not fit.
  private static func startOfScanData(_ bytes: RawSpan) -> Int? {
    var index = 2
    while index + 4 <= bytes.byteCount {
      guard bytes[index] == 0xff else { return nil }
      let marker = bytes[index + 1]
      if marker == 0xff {
        index += 1
        continue
      }
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      guard length >= 2, index + 2 + length <= bytes.byteCount else { return nil }
      if marker == startOfScan { return index + 2 + length - 1 }
      index += 2 + length
    }
    return nil
  }
}

extension RawSpan {
  fileprivate subscript(index: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}
