package import Imaging

/// A file to make.
package struct PhotoJob: Hashable, Sendable {
  /// The most bytes of EXIF, and of XMP.
  static let maximumMetadata = 16 << 20

  package let picture: PlanarPicture
  package let format: HEIFFormat
  /// 1...100.
  package let quality: Int
  /// A TIFF stream of EXIF; empty for none.
  package let exif: [UInt8]
  /// A packet of XMP in UTF-8; empty for none.
  package let xmp: [UInt8]

  /// - Parameter quality: A value beyond 1...100 becomes the nearest of these.
  /// - Throws: `invalidSize`, `unsupportedFormat`, `invalidMetadata`.
  package init(
    _ picture: PlanarPicture, as format: HEIFFormat, quality: Int, exif: [UInt8] = [],
    xmp: [UInt8] = []
  ) throws(ImagingError) {
    try picture.size.check()
    guard PhotoJobHeader.subsamplings.contains(picture.subsampling) else {
      throw ImagingError(
        .unsupportedFormat,
        "no AVIF or HEIC is made of \(picture.subsampling): convert it to 4:2:0 first")
    }
    guard max(exif.count, xmp.count) <= Self.maximumMetadata else {
      throw ImagingError(
        .invalidMetadata,
        "EXIF and XMP have at most \(Self.maximumMetadata) bytes each: leave something out")
    }
    self.picture = picture
    self.format = format
    self.quality = max(1, min(100, quality))
    self.exif = exif
    self.xmp = xmp
  }
}

/// The kinds of files that lose detail and need an encoder of video.
package enum HEIFFormat: UInt8, Hashable, Sendable, CaseIterable {
  /// AV1 in HEIF.
  case avif = 1
  /// HEVC in HEIF.
  case heic = 2
}
