package import Imaging

/// A kind of file that a photo becomes.
package enum PhotoFormat: Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case jpeg
  case png
  case tiff
  /// The samples of a Bayer sensor, for programs that develop them.
  case dng
  case avif
  case heic
  /// The bytes that the camera delivered.
  case raw

  package var description: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .dng: "DNG"
    case .avif: "AVIF"
    case .heic: "HEIC"
    case .raw: "raw"
    }
  }

  /// Whether files are small because they lose detail, by a quality.
  package var losesDetail: Bool { self == .jpeg || self == .avif || self == .heic }

  /// The qualities that look alike: encoders count them differently.
  fileprivate var usualQuality: Int {
    switch self {
    case .avif: 80
    case .heic: 55
    case .jpeg, .png, .tiff, .dng, .raw: 90
    }
  }

  /// Whether the frame's bytes or samples are kept as they are, so that they cannot be turned or
  /// scaled.
  var keepsFrame: Bool { self == .raw || self == .dng }

  /// Whether a file can say how its picture is to be turned. Readers of AVIF and HEIC do not look
  /// at such a tag.
  var hasOrientationTag: Bool {
    switch self {
    case .jpeg, .png, .tiff, .dng: true
    case .avif, .heic, .raw: false
    }
  }

  /// Whether such files can be made of a camera's frames.
  package func canShow(_ pixelFormat: PixelFormat) -> Bool {
    switch self {
    case .raw: true
    case .dng: pixelFormat.bayerPattern != nil
    case .jpeg, .png, .tiff, .avif, .heic: pixelFormat.makesPictures
    }
  }
}

/// One of the files that a photo becomes.
package struct PhotoFileOrder: Codable, Hashable, Sendable {
  package var format: PhotoFormat
  /// 1...100, for files that lose detail and that the node encodes.
  package var quality: Int
  /// Whether the camera's own JPEG is encoded again, with that quality.
  package var isReencoded: Bool
  /// What it shows: of distances and mattes it is a PNG.
  package var part = PhotoPart.picture

  /// - Parameter quality: Nil for the usual one.
  package init(_ format: PhotoFormat, quality: Int? = nil, isReencoded: Bool = false) {
    self.format = format
    self.quality = quality ?? format.usualQuality
    self.isReencoded = isReencoded
  }
}
