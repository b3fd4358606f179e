/// The number of an entry in a TIFF directory (TIFF 6.0, Exif 2.32, DNG 1.4).
struct TIFFTag: RawRepresentable, Hashable, Sendable, Comparable {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  static func < (left: TIFFTag, right: TIFFTag) -> Bool { left.rawValue < right.rawValue }

  // Pictures.
  static let newSubfileType = TIFFTag(254)
  static let imageWidth = TIFFTag(256)
  static let imageLength = TIFFTag(257)
  static let bitsPerSample = TIFFTag(258)
  static let compression = TIFFTag(259)
  static let photometricInterpretation = TIFFTag(262)
  static let stripOffsets = TIFFTag(273)
  static let samplesPerPixel = TIFFTag(277)
  static let rowsPerStrip = TIFFTag(278)
  static let stripByteCounts = TIFFTag(279)
  static let xResolution = TIFFTag(282)
  static let yResolution = TIFFTag(283)
  static let planarConfiguration = TIFFTag(284)
  static let resolutionUnit = TIFFTag(296)
  static let thumbnailOffset = TIFFTag(513)
  static let thumbnailByteCount = TIFFTag(514)
  static let yCbCrPositioning = TIFFTag(531)

  // What is known about any picture.
  static let imageDescription = TIFFTag(270)
  static let make = TIFFTag(271)
  static let model = TIFFTag(272)
  static let orientation = TIFFTag(274)
  static let software = TIFFTag(305)
  static let dateTime = TIFFTag(306)
  static let xmp = TIFFTag(700)
  static let exifDirectory = TIFFTag(34_665)
  static let gpsDirectory = TIFFTag(34_853)

  // The Exif directory.
  static let exposureTime = TIFFTag(0x829a)
  static let fNumber = TIFFTag(0x829d)
  static let photographicSensitivity = TIFFTag(0x8827)
  static let exifVersion = TIFFTag(0x9000)
  static let dateTimeOriginal = TIFFTag(0x9003)
  static let dateTimeDigitized = TIFFTag(0x9004)
  static let offsetTime = TIFFTag(0x9010)
  static let offsetTimeOriginal = TIFFTag(0x9011)
  static let offsetTimeDigitized = TIFFTag(0x9012)
  static let componentsConfiguration = TIFFTag(0x9101)
  static let exposureBiasValue = TIFFTag(0x9204)
  static let flash = TIFFTag(0x9209)
  static let focalLength = TIFFTag(0x920a)
  static let userComment = TIFFTag(0x9286)
  static let subSecTime = TIFFTag(0x9290)
  static let subSecTimeOriginal = TIFFTag(0x9291)
  static let subSecTimeDigitized = TIFFTag(0x9292)
  static let flashpixVersion = TIFFTag(0xa000)
  static let colorSpace = TIFFTag(0xa001)
  static let pixelXDimension = TIFFTag(0xa002)
  static let pixelYDimension = TIFFTag(0xa003)
  static let focalPlaneXResolution = TIFFTag(0xa20e)
  static let focalPlaneYResolution = TIFFTag(0xa20f)
  static let focalPlaneResolutionUnit = TIFFTag(0xa210)
  static let focalLengthIn35mmFilm = TIFFTag(0xa405)
  static let digitalZoomRatio = TIFFTag(0xa404)
  static let imageUniqueID = TIFFTag(0xa420)

  // The GPS directory.
  static let gpsVersion = TIFFTag(0)
  static let gpsLatitudeRef = TIFFTag(1)
  static let gpsLatitude = TIFFTag(2)
  static let gpsLongitudeRef = TIFFTag(3)
  static let gpsLongitude = TIFFTag(4)
  static let gpsAltitudeRef = TIFFTag(5)
  static let gpsAltitude = TIFFTag(6)
  static let gpsProcessingMethod = TIFFTag(27)

  // Raw pictures.
  static let cfaRepeatPatternDim = TIFFTag(33_421)
  static let cfaPattern = TIFFTag(33_422)
  static let dngVersion = TIFFTag(50_706)
  static let dngBackwardVersion = TIFFTag(50_707)
  static let uniqueCameraModel = TIFFTag(50_708)
  static let cfaPlaneColor = TIFFTag(50_710)
  static let cfaLayout = TIFFTag(50_711)
  static let blackLevel = TIFFTag(50_714)
  static let whiteLevel = TIFFTag(50_717)
  static let colorMatrix1 = TIFFTag(50_721)
  static let asShotNeutral = TIFFTag(50_728)
  static let baselineExposure = TIFFTag(50_730)
  static let calibrationIlluminant1 = TIFFTag(50_778)
}
