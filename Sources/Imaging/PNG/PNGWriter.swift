import CPNG

/// One PNG that libpng writes, with its errors as `ImagingError`.
@safe final class PNGWriter {
  private let codec: OpaquePointer

  /// - Throws: `codecFailed`.
  init(maximumByteCount: Int) throws(ImagingError) {
    guard let codec = unsafe CPNG_create(maximumByteCount) else {
      throw ImagingError(.codecFailed, "libpng has no memory for a writer: free some")
    }
    unsafe self.codec = unsafe codec
  }

  deinit {
    unsafe CPNG_destroy(codec)
  }

  /// Writes the header.
  /// - Throws: `codecFailed`, as all functions here.
  func start(_ bitmap: Bitmap) throws(ImagingError) {
    try check(
      unsafe CPNG_start(
        codec,
        UInt32(bitmap.size.width),
        UInt32(bitmap.size.height),
        Int32(bitmap.samples.channels),
        Int32(8 * bitmap.samples.bytesPerChannel),
        Int32(bitmap.significantBits)
      ))
  }

  /// Writes a chunk of metadata.
  func write(_ name: String, _ bytes: [UInt8]) throws(ImagingError) {
    try check(unsafe CPNG_writeChunk(codec, name, bytes, bytes.count))
  }

  /// Writes the samples.
  /// - Returns: The file.
  func finish(_ bitmap: Bitmap) throws(ImagingError) -> [UInt8] {
    try check(
      unsafe CPNG_finish(
        codec, bitmap.bytes, bitmap.bytesPerLine, UInt32(bitmap.size.height)))
    var count = 0
    let bytes = unsafe CPNG_bytes(codec, &count)
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func check(_ isDone: Bool) throws(ImagingError) {
    guard !isDone else { return }
    throw ImagingError(
      .codecFailed, unsafe "libpng says: \(String(cString: CPNG_message(codec)))")
  }
}

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
