/// Weaves the two fields of an interlaced picture, which some cameras send as two JPEGs one after
/// the other (the payload specification of USB's motion JPEG). Use one per thread.
package final class FieldWeaver {
  private let decoder: JPEGDecoder

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    decoder = try JPEGDecoder()
  }

  /// Where the second field begins; nil if the bytes are not two JPEGs. Padding may be between
  /// them.
  /// - Parameter end: The end of the first JPEG.
  package static func secondField(in bytes: RawSpan, after end: Int) -> Int? {
    var index = end
    while let mark = bytes.firstIndex(of: 0xff, from: index), mark + 2 < bytes.byteCount {
      if bytes[mark + 1] == JPEGSegments.Marker.startOfImage, bytes[mark + 2] == 0xff {
        return mark
      }
      index = mark + 1
    }
    return nil
  }

  /// - Parameters:
  ///   - size: The whole picture's; each field has half of its rows.
  ///   - output: Room for `size` as red, green and blue without padding.
  /// - Returns: How the picture is to be turned, as its first field says.
  /// - Throws: `invalidSize` if the fields have another size; `truncated`, `notJPEG`, `corrupt`.
  package func weave(
    _ bytes: RawSpan, _ size: ImageSize, into output: inout MutableRawSpan
  ) throws(ImagingError) -> Orientation {
    guard case .complete(let first) = JPEGIntegrity.check(bytes),
      let second = Self.secondField(in: bytes, after: first.byteCount)
    else { throw ImagingError(.truncated, "the buffer does not hold two fields") }
    guard output.byteCount >= 3 * size.width * size.height else {
      throw ImagingError(.shortOutput, "there is no room for \(size)")
    }
    let firstRow = Self.isBottom(bytes) ? 1 : 0
    try weave(bytes.extracting(0..<first.byteCount), size, from: firstRow, into: &output)
    try weave(
      bytes.extracting(second..<bytes.byteCount), size, from: 1 - firstRow, into: &output)
    return first.orientation
  }

  private func weave(
    _ field: RawSpan, _ size: ImageSize, from first: Int, into output: inout MutableRawSpan
  ) throws(ImagingError) {
    let (fieldSize, pixels) = try decoder.decodeRGB(field)
    guard fieldSize == ImageSize(width: size.width, height: size.height / 2) else {
      throw ImagingError(.invalidSize, "a field has \(fieldSize), and the picture \(size)")
    }
    let rowLength = 3 * size.width
    unsafe output.withUnsafeMutableBytes { output in
      unsafe pixels.withUnsafeBytes { pixels in
        for y in 0..<fieldSize.height {
          let target = (2 * y + first) * rowLength
          let source = unsafe UnsafeRawBufferPointer(
            rebasing: pixels[y * rowLength..<(y + 1) * rowLength])
          unsafe UnsafeMutableRawBufferPointer(rebasing: output[target..<target + rowLength])
            .copyMemory(from: source)
        }
      }
    }
  }

  /// Whether the first field has the lower rows. AVI's segment says so with 2.
  private static func isBottom(_ bytes: RawSpan) -> Bool {
    guard var segments = JPEGSegments(bytes) else { return false }
    let name = Array("AVI1".utf8)
    while let segment = segments.next(in: bytes) {
      let payload = bytes.extracting(segment.payload)
      if segment.marker == 0xe0, payload.byteCount > name.count,
        name.indices.allSatisfy({ payload[$0] == name[$0] })
      {
        return payload[name.count] == 2
      }
    }
    return false
  }
}
