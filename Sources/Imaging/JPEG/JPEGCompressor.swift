import CJPEG

/// Compresses planes strip by strip, so that a strip stays in the processor's caches until it is
/// encoded. Use one per thread.
@safe final class JPEGCompressor {
  private let codec: OpaquePointer

  /// - Throws: `codecFailed`.
  init() throws(ImagingError) {
    guard let codec = unsafe CJPEG_create() else {
      throw ImagingError(.codecFailed, "libjpeg has no memory for a compressor: free some")
    }
    unsafe self.codec = unsafe codec
  }

  deinit {
    unsafe CJPEG_destroy(codec)
  }

  /// - Parameters:
  ///   - quality: 1...100.
  ///   - output: Checked by `checkRoom`. libjpeg also stops at its end.
  ///   - strip: Returns the rows of a strip in full range and BT.601, padded to whole blocks and
  ///     valid until its next call.
  /// - Returns: The number of bytes written.
  /// - Throws: `unsupportedFormat`, `shortOutput`, `codecFailed`, and the errors of `strip`.
  func compress(
    _ size: ImageSize,
    _ subsampling: ChromaSubsampling,
    quality: Int,
    into output: inout MutableRawSpan,
    _ strip: (_ rows: Range<Int>) throws(ImagingError) -> Planes
  ) throws(ImagingError) -> Int {
    try TurboJPEG.checkRoom(output.byteCount, for: size, subsampling)
    return try unsafe output.withUnsafeMutableBytes { (bytes) throws(ImagingError) in
      try unsafe check(
        CJPEG_start(
          codec,
          Int32(size.width),
          Int32(size.height),
          Int32(subsampling.horizontal),
          Int32(subsampling.vertical),
          Int32(max(1, min(100, quality))),
          bytes.baseAddress,
          bytes.count
        ))
      let height = subsampling.blockSize.height
      for y in stride(from: 0, to: size.height, by: height) {
        let planes = unsafe try strip(y..<min(y + height, size.height))
        try unsafe check(
          CJPEG_write(
            codec,
            planes.luma.start,
            planes.luma.stride,
            planes.chroma?.blue.start,
            planes.chroma?.red.start,
            planes.chroma?.blue.stride ?? 0
          ))
      }
      let byteCount = unsafe CJPEG_finish(codec)
      try check(byteCount > 0)
      return byteCount
    }
  }

  /// - Parameter planes: In full range and BT.601, padded to whole blocks.
  /// - Returns: The number of bytes written.
  /// - Throws: As `compress` of strips does.
  func compress(
    _ planes: Planes, quality: Int, into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    try unsafe compress(planes.size, planes.subsampling, quality: quality, into: &output) {
      unsafe planes.rows($0)
    }
  }

  private func check(_ isDone: Bool) throws(ImagingError) {
    guard !isDone else { return }
    throw ImagingError(
      .codecFailed, unsafe "libjpeg says: \(String(cString: CJPEG_message(codec)))")
  }
}
