import CTurboJPEG

extension TurboJPEG {
  /// The header values that libturbojpeg itself read. Output memory is sized by them, because
  /// libturbojpeg writes by them.
  struct Header {
    var size: ImageSize
    /// That of the planes which are made of it.
    var subsampling: ChromaSubsampling
    /// Whether libturbojpeg makes planes of it: it is grey, or luma and chroma in a usual
    /// subsampling.
    var isUsual = true
    /// Whether it can be turned without loss: it has no more components than planes.
    var isTurnable = true
  }

  /// Limits the scans of a progressive picture, because a picture with very many is an attack on
  /// the processor's time.
  private static let flags = TJFLAG_LIMITSCANS

  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `invalidSize`.
  func header(_ image: RawSpan) throws(ImagingError) -> Header {
    do throws(ImagingError) {
      return try usualHeader(image)
    } catch  where error.code == .unsupportedFormat {
      let size = try JPEGReader.size(image)
      try Self.requireBytes(image.byteCount, for: size)
      return Header(size: size, subsampling: .yuv444, isUsual: false, isTurnable: false)
    }
  }

  private func usualHeader(_ image: RawSpan) throws(ImagingError) -> Header {
    var (width, height, subsampling, colorSpace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    try unsafe read(image) { handle, bytes, count in
      unsafe tjDecompressHeader3(
        handle,
        bytes,
        count,
        &width,
        &height,
        &subsampling,
        &colorSpace
      )
    }
    let size = ImageSize(width: Int(width), height: Int(height))
    // libturbojpeg finds no fault with a picture that ends before its size.
    guard size != ImageSize(width: 0, height: 0) else {
      throw ImagingError(.truncated, "the JPEG's headers do not end")
    }
    try size.check()
    try Self.requireBytes(image.byteCount, for: size)
    let space = TJCS(UInt32(bitPattern: colorSpace))
    guard let known = ChromaSubsampling(turboJPEG: subsampling),
      [TJCS_YCbCr, TJCS_GRAY].contains(space)
    else {
      return Header(
        size: size, subsampling: .yuv444, isUsual: false, isTurnable: space == TJCS_RGB)
    }
    return Header(size: size, subsampling: known)
  }

  /// Each block of 8x8 pixels takes at least a bit of the scan. A header that promises far more
  /// pixels would cost gigabytes of memory.
  /// - Throws: `truncated`.
  private static func requireBytes(_ count: Int, for size: ImageSize) throws(ImagingError) {
    let blocks = (size.width + 7) / 8 * ((size.height + 7) / 8)
    guard blocks <= 8 * count else {
      throw ImagingError(
        .truncated,
        "the JPEG's \(count) bytes cannot hold the \(size) pixels that its header promises")
    }
  }

  /// The smallest of full, half, quarter and eighth size that is at least `target`. libturbojpeg
  /// can scale by every eighth, but the other ratios take longer than decoding everything.
  static func size(of full: ImageSize, atLeast target: ImageSize) -> ImageSize {
    [8, 4, 2]
      .map { divisor in
        // libturbojpeg rounds up.
        ImageSize(
          width: (full.width + divisor - 1) / divisor,
          height: (full.height + divisor - 1) / divisor
        )
      }
      .first { $0.width >= target.width && $0.height >= target.height } ?? full
  }

  /// - Parameters:
  ///   - size: A result of `size(of:atLeast:)`.
  ///   - pixels: Room for `size` at three bytes a pixel.
  func decompress(
    _ image: RawSpan,
    to size: ImageSize,
    rgb pixels: inout [UInt8]
  ) throws(ImagingError) {
    try unsafe read(image) { handle, bytes, count in
      unsafe tjDecompress2(
        handle,
        bytes,
        count,
        &pixels,
        Int32(size.width),
        Int32(3 * size.width),
        Int32(size.height),
        Int32(TJPF_RGB.rawValue),
        Self.flags
      )
    }
  }

  /// - Parameter planes: Have a size from `size(of:atLeast:)` and the stream's own subsampling.
  func decompress(_ image: RawSpan, into planes: MutablePlanes) throws(ImagingError) {
    var targets = unsafe planes.starts
    var strides = unsafe planes.strides
    try unsafe read(image) { handle, bytes, count in
      unsafe tjDecompressToYUVPlanes(
        handle,
        bytes,
        count,
        &targets,
        Int32(planes.size.width),
        &strides,
        Int32(planes.size.height),
        Self.flags
      )
    }
  }

  private func read(
    _ image: RawSpan,
    _ body: (tjhandle, UnsafePointer<UInt8>?, CUnsignedLong) -> Int32
  ) throws(ImagingError) {
    guard image.byteCount > 0 else { throw ImagingError(.notJPEG, "the JPEG has no bytes") }
    try unsafe image.withUnsafeBytes { (bytes) throws(ImagingError) in
      let source = unsafe bytes.bindMemory(to: UInt8.self)
      unsafe try call(reading: image) {
        unsafe body($0, source.baseAddress, CUnsignedLong(source.count))
      }
    }
  }
}
