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
