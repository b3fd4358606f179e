extension TIFFDirectory {
  /// The usual size of a strip (TIFF 6.0, section 8, recommends a small one).
  private static let stripByteCount = 65_536

  /// Sets the entries of an uncompressed picture in strips of whole rows.
  /// - Parameter photometricInterpretation: What the samples mean.
  /// - Throws: `invalidSize`.
  mutating func setPicture(
    _ bytes: [UInt8], size: ImageSize, samplesPerPixel: Int, bitsPerSample: UInt16,
    photometricInterpretation: UInt16
  ) throws(ImagingError) {
    try size.check()
    let bytesPerLine = size.width * samplesPerPixel * Int(bitsPerSample) / 8
    let rowsPerStrip = min(size.height, max(1, Self.stripByteCount / bytesPerLine))
    let strips = stride(from: 0, to: bytes.count, by: rowsPerStrip * bytesPerLine).map { start in
      bytes[start..<min(start + rowsPerStrip * bytesPerLine, bytes.count)]
    }
    self[.newSubfileType] = .long(0)
    self[.imageWidth] = .long(size.width)
    self[.imageLength] = .long(size.height)
    self[.bitsPerSample] = .shorts(Array(repeating: bitsPerSample, count: samplesPerPixel))
    // No compression.
    self[.compression] = .short(1)
    self[.photometricInterpretation] = .short(photometricInterpretation)
    self[.samplesPerPixel] = .short(UInt16(samplesPerPixel))
    // The samples of a pixel lie side by side.
    self[.planarConfiguration] = .short(1)
    self[.rowsPerStrip] = .long(rowsPerStrip)
    self[.stripOffsets] = .blocks(strips)
    self[.stripByteCounts] = .longs(strips.map { UInt32($0.count) })
  }
}
