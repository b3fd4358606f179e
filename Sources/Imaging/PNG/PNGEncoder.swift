/// Makes PNG files of bitmaps, without loss.
package enum PNGEncoder {
  /// The bytes of a PNG. Colours are said to be sRGB, and how many bits of a sample the camera
  /// fills, if they are not all.
  /// - Throws: `invalidSize`, `invalidMetadata`, `codecFailed`.
  package static func encode(
    _ bitmap: Bitmap, _ metadata: PNGMetadata = PNGMetadata()
  ) throws(ImagingError) -> [UInt8] {
    try bitmap.size.check()
    let chunks = try metadata.chunks()
    let byteCount = chunks.reduce(bitmap.maximumPNGByteCount) { $0 + 12 + $1.bytes.count }
    let writer = try PNGWriter(maximumByteCount: byteCount)
    try writer.start(bitmap)
    for (name, bytes) in chunks { try writer.write(name, bytes) }
    return try writer.finish(bitmap)
  }
}

extension Bitmap {
  /// More than the largest PNG without metadata: the compressor stores what it cannot compress in
  /// blocks, each with a few bytes more, and libpng cuts its output in chunks of 8 kB with 12 bytes
  /// each.
  fileprivate var maximumPNGByteCount: Int {
    let rows = size.height * (1 + bytesPerLine)
    return rows + rows / 64 + 64 << 10
  }
}
