package import Digest

/// What is known of a photo or movie before there is a file of it.
package struct AssetDescription: Hashable, Sendable {
  /// The camera's name: 1 to 32 letters, digits, `_` or `-` of ASCII. It becomes part of the path.
  package var camera: String
  package var mediaType: MediaType
  /// Pixels.
  package var width: Int
  package var height: Int
  /// The moment of the exposure, or of a movie's first one: wall clock, nanoseconds since 1970 (UTC).
  package var createdAt: Int64
  /// Who asked for it: the 16 bytes of the request's id.
  package var requestID: [UInt8]?

  package init(
    camera: String,
    mediaType: MediaType,
    width: Int,
    height: Int,
    createdAt: Int64,
    requestID: [UInt8]? = nil
  ) {
    self.camera = camera
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.createdAt = createdAt
    self.requestID = requestID
  }
}

/// A photo or movie that the library holds: its file is complete and on the disk.
package struct Asset: Hashable, Sendable, Identifiable {
  package let id: AssetID
  package let description: AssetDescription
  /// Where the file is, below the library's folder: `front/2026-05-04/front-20260504T101112.345Z-0a1b2c3d.jpg`.
  package let relativePath: String
  package let byteCount: Int
  /// Of the file's bytes.
  package let sha256: SHA256Digest
  /// How long a movie lasts; nil for a photo.
  package let duration: Duration?
  /// How many pictures a movie has; nil for a photo.
  package let frameCount: Int?
  /// A movie whose making was cut off, and that was closed later.
  package let isRecovered: Bool
  /// Whether the file was gone when the library was opened: somebody else deleted or moved it.
  package let isMissing: Bool
}
