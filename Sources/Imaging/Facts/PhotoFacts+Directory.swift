import OperatingSystem

extension PhotoFacts {
  /// The most characters of a name and of a longer text in a file.
  static let maximumNameCount = 200
  static let maximumTextCount = 2000
  static let maximumKeywordLength = 64
  static let maximumKeywordCount = 32

  /// The first directory of EXIF, TIFF and DNG as far as it describes the photo (Exif 2.32, section
  /// 4.6.4), with the Exif and GPS directories.
  func directory(_ colorSpace: ColorSpace) -> TIFFDirectory {
    var directory = TIFFDirectory()
    directory[.imageDescription] = Self.ascii(description, Self.maximumTextCount)
    directory[.make] = Self.ascii(make)
    directory[.model] = Self.ascii(model)
    directory[.software] = Self.ascii(software)
    directory[.orientation] = orientation.map { .short($0.exifValue) }
    directory[.dateTime] = (moment?.exifText).map { .ascii($0) }
    directory[.xResolution] = .rational(Rational(72))
    directory[.yResolution] = .rational(Rational(72))
    // Dots per inch: the resolution has no meaning for a photo, but must be stated.
    directory[.resolutionUnit] = .short(2)
    directory[.exifDirectory] = .directory(exifDirectory(colorSpace))
    directory[.gpsDirectory] = (position?.directory).map { .directory($0) }
    return directory
  }

  /// How the photo was taken (Exif 2.32, section 4.6.5).
  private func exifDirectory(_ colorSpace: ColorSpace) -> TIFFDirectory {
    var directory = TIFFDirectory()
    directory[.exifVersion] = .undefined(Array("0232".utf8))
    directory[.flashpixVersion] = .undefined(Array("0100".utf8))
    directory[.colorSpace] = .short(colorSpace.rawValue)
    directory[.exposureTime] = exposureTime.flatMap(Rational.init(nanoseconds:)).map {
      .rational($0)
    }
    directory[.exposureBiasValue] = exposureBias.flatMap { bias in
      guard abs(bias) <= 100 else { return nil }
      return .signedRationals([Rational(Int32((bias * 100).rounded()), 100)])
    }
    directory[.photographicSensitivity] = iso.flatMap(UInt16.init(exactly:)).flatMap {
      $0 > 0 ? .short($0) : nil
    }
    directory[.fNumber] = Self.positive(fNumber)
    directory[.focalLength] = Self.positive(focalLength)
    directory[.focalLengthIn35mmFilm] = (view?.equivalentFocalLength).map { .short($0) }
    if let view, let focalLength, let (x, y) = view.pixelsPerCentimetre(of: focalLength) {
      directory[.focalPlaneXResolution] = .rational(x)
      directory[.focalPlaneYResolution] = .rational(y)
      // Centimetres.
      directory[.focalPlaneResolutionUnit] = .short(3)
    }
    directory[.digitalZoomRatio] = Self.positive(zoom)
    directory[.flash] = flashFired.map { .short($0 ? 1 : 0) }
    directory[.imageUniqueID] = uniqueID.flatMap {
      $0.count == 16 ? .ascii($0.hexadecimal) : nil
    }
    directory[.userComment] = comment?.asciiText(maximumCount: Self.maximumTextCount).map {
      .asciiWithCode($0)
    }
    if let moment {
      for tag in [TIFFTag.dateTimeOriginal, .dateTimeDigitized] {
        directory[tag] = .ascii(moment.exifText)
      }
      for tag in [TIFFTag.offsetTime, .offsetTimeOriginal, .offsetTimeDigitized] {
        directory[tag] = .ascii(moment.utcOffsetText)
      }
      for tag in [TIFFTag.subSecTime, .subSecTimeOriginal, .subSecTimeDigitized] {
        directory[tag] = .ascii(moment.microsecondsText)
      }
    }
    return directory
  }

  private static func ascii(
    _ text: String?, _ maximumCount: Int = maximumNameCount
  ) -> TIFFValue? {
    text?.asciiText(maximumCount: maximumCount).map { .ascii($0) }
  }

  /// Nil also for a value that is rounded to zero, which means "unknown" in these entries.
  private static func positive(_ value: Double?) -> TIFFValue? {
    guard let value, let fraction = Rational(decimal: value), fraction.numerator > 0 else {
      return nil
    }
    return .rational(fraction)
  }
}

extension PhotoFacts.Moment {
  /// The local date and time to the second: `2026:05:04 10:11:12`.
  var exifText: String {
    let text = local.text(fractionDigits: 0)
    return text.prefix(10).replacing("-", with: ":") + " " + text.dropFirst(11).prefix(8)
  }

  /// The fraction of the second to the microsecond, in six digits.
  var microsecondsText: String { String(local.text(fractionDigits: 6).dropFirst(20).prefix(6)) }

  /// `+02:00`.
  var utcOffsetText: String {
    let minutes = utcOffset.magnitude
    let fields = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
    return (utcOffset < 0 ? "-" : "+") + fields.joined(separator: ":")
  }

  /// The local time, as if it were UTC.
  private var local: CalendarTime {
    CalendarTime(nanoseconds.addingSaturated(Int64(utcOffset) * 60_000_000_000))
  }
}
