import CTurboJPEG

extension TurboJPEG {
  /// The most bytes that a JPEG of this size and subsampling takes.
  static func maximumByteCount(_ size: ImageSize, _ subsampling: ChromaSubsampling) -> Int {
    guard size.isValid, let code = subsampling.turboJPEG else { return 0 }
    return Int(tjBufSize(Int32(size.width), Int32(size.height), code))
  }

  /// - Throws: `unsupportedFormat`, `shortOutput`.
  static func checkRoom(
    _ byteCount: Int,
    for size: ImageSize,
    _ subsampling: ChromaSubsampling
  ) throws(ImagingError) {
    let needed = maximumByteCount(size, subsampling)
    guard needed > 0 else {
      throw ImagingError(.unsupportedFormat, "no JPEG of \(size) in \(subsampling) can be made")
    }
    guard byteCount >= needed else {
      throw ImagingError(
        .shortOutput,
        "a JPEG of \(size) may take \(needed) bytes, and there is room for \(byteCount)"
      )
    }
  }

  /// Converts RGB rows to planes in full range and BT.601, as many rows as `planes` has room for.
  /// - Parameters:
  ///   - source: The first of the rows.
  ///   - layout: The layout of packed RGB or BGR.
  func split(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    into planes: MutablePlanes
  ) throws(ImagingError) {
    let order = layout.pixelFormat == .rgb24 ? TJPF_RGB : TJPF_BGR
    let subsampling = unsafe planes.subsampling.turboJPEG ?? -1
    var targets = unsafe planes.starts
    var strides = unsafe planes.strides
    unsafe try call(reading: nil) { handle in
      unsafe tjEncodeYUVPlanes(
        handle,
        source,
        Int32(layout.size.width),
        Int32(layout.bytesPerLine),
        Int32(planes.size.height),
        Int32(order.rawValue),
        &targets,
        &strides,
        subsampling,
        0
      )
    }
  }
}

extension MutablePlanes {
  /// The planes' addresses in libturbojpeg's form.
  var starts: [UnsafeMutablePointer<UInt8>?] {
    unsafe [luma.start, chroma?.blue.start, chroma?.red.start]
  }

  /// The planes' strides in libturbojpeg's form.
  var strides: [Int32] {
    unsafe [
      Int32(luma.stride), Int32(chroma?.blue.stride ?? 0), Int32(chroma?.red.stride ?? 0),
    ]
  }
}
