package import Digest
package import Words

/// The facts about a photo or movie that are known before its file exists.
package struct AssetDescription: Hashable, Sendable {
  /// The camera's name: 1 to 32 ASCII letters, digits, `_` or `-`. It becomes part of the path.
  package var camera: String
  package var mediaType: MediaType
  /// In pixels.
  package var width: Int
  package var height: Int
  /// When the photo, or the movie's first frame, was exposed: nanoseconds of the wall clock since
  /// 1970 (UTC).
  package var createdAt: Int64
  /// The 16 bytes of the id of the request that asked for the asset.
  package var requestID: [UInt8]?
  /// The layout of the pixels in a file without a format of its own; nil for other files.
  package var layout: RawLayout?
  /// The proxy in whose place it is.
  package var replaces: AssetID?
  /// What the file shows of the photo, if not the picture itself.
  package var part: AssetPart?
  package var labels: AssetLabels

  package init(
    camera: String,
    mediaType: MediaType,
    width: Int,
    height: Int,
    createdAt: Int64,
    requestID: [UInt8]? = nil,
    layout: RawLayout? = nil,
    replaces: AssetID? = nil,
    part: AssetPart? = nil,
    labels: AssetLabels = AssetLabels()
  ) {
    self.camera = camera
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.createdAt = createdAt
    self.requestID = requestID
    self.layout = layout
    self.replaces = replaces
    self.part = part
    self.labels = labels
  }
}

/// What a file is of a photo, beside the picture itself.
package enum AssetPart: String, Sendable {
  case depth, matte
  /// The movie of a live photo.
  case live
}

/// A photo or movie in the library. Its file is complete and on the disk.
package struct Asset: Hashable, Sendable, Identifiable {
  package let id: AssetID
  package internal(set) var description: AssetDescription
  /// The file's path below the library's folder:
  /// `front/2026-05-04/front-20260504T101112.345Z-0a1b2c3d.jpg`.
  package let relativePath: String
  package let byteCount: Int
  /// The digest of the file's bytes.
  package let sha256: SHA256Digest
  /// A movie's duration; nil for a photo.
  package let duration: Duration?
  /// A movie's number of frames; nil for a photo.
  package let frameCount: Int?
  /// Whether the movie's recording was cut off and its file completed later.
  package let isRecovered: Bool
  /// What has become of the files for which a proxy stands; nil for other assets.
  package internal(set) var deferral: Deferral?
  /// Whether deleting the asset is refused.
  package internal(set) var isProtected = false
  /// Whether the file was gone when the library last looked.
  var isMissing = false
  /// Whether the file had other bytes when the library last looked.
  var isChanged = false
  /// The file's time of change when `isChanged` was found out, in nanoseconds since 1970. Nil where
  /// it is not known.
  var modifiedAt: Int64?

  /// How the file was when the library last looked.
  package var condition: AssetCondition {
    isMissing ? .missing : isChanged ? .changed : .intact
  }
}

/// What has become of the files for which a proxy stands.
package enum Deferral: String, Sendable {
  /// They are still to be made.
  case pending
  /// They are in the library.
  case done
  /// Not all of them can be made.
  case failed
}

/// Whether an asset's file is still what the library stored.
package enum AssetCondition: Sendable {
  /// It is.
  case intact
  /// Someone else deleted or moved the file.
  case missing
  /// The file's bytes are others, or something else is in its place.
  case changed
}
