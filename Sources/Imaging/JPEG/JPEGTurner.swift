import CTurboJPEG

/// Turns JPEGs without loss: its blocks are moved and turned, not decoded. Use one per thread.
///
/// The turned JPEG has the standard tables and none of the source's comments and application data,
/// which may contradict it.
package final class JPEGTurner {
  private let codec: TurboJPEG

  /// - Throws: `codecFailed`.
  package init() throws(ImagingError) {
    codec = try TurboJPEG(.transformer)
  }

  /// Whether the picture can be turned so. It cannot if incomplete blocks at an edge would come to
  /// the opposite edge, or if libturbojpeg does not know its subsampling.
  package static func canTurn(_ header: JPEGHeader, _ orientation: Orientation) -> Bool {
    header.subsampling?.turboJPEG != nil
      && orientation.keepsTiles(of: header.unitSize, in: header.size)
  }

  /// - Parameters:
  ///   - image: A JPEG for whose header `canTurn` holds.
  ///   - output: Room for `JPEGEncoder.maximumByteCount(for:)` bytes of its size.
  /// - Returns: The number of bytes written.
  /// - Throws: `shortOutput`, `notJPEG`, `truncated`, `corrupt`, `unsupportedFormat`.
  package func turn(
    _ image: RawSpan, _ orientation: Orientation, into output: inout MutableRawSpan
  ) throws(ImagingError) -> Int {
    let header = try codec.header(image)
    guard header.isTurnable else {
      throw ImagingError(.unsupportedFormat, "the JPEG cannot be turned without loss")
    }
    // libturbojpeg takes the size of the memory for granted, by the source's size.
    try TurboJPEG.checkRoom(output.byteCount, for: header.size, header.subsampling)
    var transform = unsafe tjtransform()
    unsafe transform.op = Int32(orientation.operation.rawValue)
    unsafe transform.options = TJXOPT_PERFECT | TJXOPT_COPYNONE
    return try unsafe output.withUnsafeMutableBytes { (bytes) throws(ImagingError) in
      var target = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      var byteCount = CUnsignedLong(0)
      try unsafe image.withUnsafeBytes { (source) throws(ImagingError) in
        let source = unsafe source.bindMemory(to: UInt8.self)
        unsafe try codec.call(reading: image) { handle in
          unsafe tjTransform(
            handle, source.baseAddress, CUnsignedLong(source.count), 1, &target, &byteCount,
            &transform, TJFLAG_NOREALLOC | TJFLAG_LIMITSCANS)
        }
      }
      return Int(byteCount)
    }
  }
}

extension Orientation {
  fileprivate var operation: TJXOP {
    switch (rotation, isMirrored) {
    case (.none, false): TJXOP_NONE
    case (.none, true): TJXOP_HFLIP
    case (.quarter, false): TJXOP_ROT90
    case (.quarter, true): TJXOP_TRANSPOSE
    case (.half, false): TJXOP_ROT180
    case (.half, true): TJXOP_VFLIP
    case (.threeQuarters, false): TJXOP_ROT270
    case (.threeQuarters, true): TJXOP_TRANSVERSE
    }
  }
}
