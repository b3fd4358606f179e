/// A TIFF directory: its entries by their tags. A directory may hold further ones and the bytes of
/// a picture.
struct TIFFDirectory: Hashable, Sendable {
  private var values: [TIFFTag: TIFFValue] = [:]

  /// Setting nil leaves the entry out.
  subscript(tag: TIFFTag) -> TIFFValue? {
    get { values[tag] }
    set { values[tag] = newValue }
  }

  var isEmpty: Bool { values.isEmpty }

  /// The entries in the order of the file.
  var entries: [(tag: TIFFTag, value: TIFFValue)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

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

/// Makes TIFF files: baseline TIFF without compression (TIFF 6.0, part 1), with samples of 8 or 16
/// bits, and with EXIF and XMP.
package enum TIFFFile {
  /// - Throws: `invalidSize`.
  package static func encode(
    _ picture: Bitmap, _ facts: PhotoFacts
  ) throws(ImagingError) -> [UInt8] {
    var directory = facts.directory(picture.colorSpace)
    let channels = picture.samples.channels
    try directory.setPicture(
      picture.bytes, size: picture.size, samplesPerPixel: channels,
      bitsPerSample: UInt16(8 * picture.samples.bytesPerChannel),
      // Grey from black to white, or RGB.
      photometricInterpretation: channels == 1 ? 1 : 2)
    directory[.xmp] = .bytes(XMP.packet(facts))
    return TIFFWriter.write([directory])
  }
}
