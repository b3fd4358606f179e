/// What a file says of the meaning of its colours (Exif 2.32, section 4.6.5).
package enum ColorSpace: UInt16, Sendable {
  case sRGB = 1
  /// Another one, or none that is known.
  case uncalibrated = 0xffff
}

/// Writes the TIFF stream that EXIF puts into the files of photos (Exif 2.32, section 4.5).
package enum Exif {
  /// The largest thumbnail that is written. JPEG has less than 64 KiB for the whole stream.
  package static let maximumThumbnailByteCount = 61_440

  /// The stream for a compressed photo, without the `Exif` prefix that JPEG needs.
  /// - Parameters:
  ///   - size: Of the photo in the file, before a viewer turns it.
  ///   - thumbnail: A small JPEG. It is left out if it is too large or no JPEG.
  package static func stream(
    _ facts: PhotoFacts, size: ImageSize, _ colorSpace: ColorSpace = .sRGB,
    thumbnail: [UInt8] = []
  ) -> [UInt8] {
    var main = facts.directory(colorSpace)
    // Chroma samples lie in the middle of their luma samples, as in JFIF.
    main[.yCbCrPositioning] = .short(1)
    if case .directory(var exif) = main[.exifDirectory] {
      // Luma, then blue and red chroma.
      exif[.componentsConfiguration] = .undefined([1, 2, 3, 0])
      exif[.pixelXDimension] = .long(size.width)
      exif[.pixelYDimension] = .long(size.height)
      main[.exifDirectory] = .directory(exif)
    }
    let isUsable =
      thumbnail.count <= maximumThumbnailByteCount && thumbnail.starts(with: [0xff, 0xd8])
    return TIFFWriter.write(isUsable ? [main, directory(of: thumbnail)] : [main])
  }

  private static func directory(of thumbnail: [UInt8]) -> TIFFDirectory {
    var directory = TIFFDirectory()
    directory[.compression] = .short(6)
    directory[.xResolution] = .rational(Rational(72))
    directory[.yResolution] = .rational(Rational(72))
    directory[.resolutionUnit] = .short(2)
    directory[.thumbnailOffset] = .blocks([thumbnail[...]])
    directory[.thumbnailByteCount] = .long(thumbnail.count)
    return directory
  }
}

extension Orientation {
  /// The numbers of EXIF for how a viewer has to turn the picture, by quarter turns: not mirrored
  /// and mirrored.
  ///
  /// EXIF's numbers say where the first row and the first column of the file are in the picture: 6
  /// for example has its first row at the right side, so that the file has to be turned clockwise.
  private static let turned: [UInt16] = [1, 6, 3, 8]
  private static let mirrored: [UInt16] = [2, 5, 4, 7]

  /// The value of EXIF's orientation tag, from 1 to 8 (Exif 2.32, section 4.6.4).
  package var exifValue: UInt16 {
    (isMirrored ? Self.mirrored : Self.turned)[rotation.rawValue / 90]
  }

  /// Nil for values that are not defined.
  package init?(exifValue: Int) {
    guard let found = Self.allCases.first(where: { Int($0.exifValue) == exifValue }) else {
      return nil
    }
    self = found
  }
}
