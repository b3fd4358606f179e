import Words

/// A photo or movie in a node's library.
public struct Asset: Hashable, Sendable, Codable, Identifiable, CustomStringConvertible {
  /// Its id in the library.
  public var id: Identifier
  /// The name of the camera that made it.
  public var camera: String
  /// That of a ``PhotoFile``, or "video/x-matroska".
  public var mediaType: String
  /// Its path below the library's folder.
  public var path: String
  /// Its size in bytes.
  public var byteCount: UInt64
  /// The SHA-256 of its bytes, 64 hexadecimal digits.
  public var sha256: String
  /// The size of its pictures.
  public var size: FrameSize
  /// When it was taken or began.
  public var created: WallInstant
  /// How long a movie is; nil for a photo.
  public var duration: Duration?
  /// How many pictures a movie has; nil for a photo.
  public var frames: UInt64?
  /// The request that it was made for, where that is known.
  public var requestID: Identifier?
  /// Whether it is a movie that a killed node closed at its next start. Its last second may be
  /// missing.
  public var isRecovered: Bool
  /// Whether its file is still what the node stored.
  public var condition: AssetCondition
  /// Whether the node refuses to delete it.
  public var isProtected: Bool
  /// What the bytes of a raw file mean; nil for others.
  public var layout: RawLayout?
  /// The id of the proxy in whose place it is; nil for an asset that is no final picture of one.
  public var replaces: Identifier?
  /// What has become of the final picture, if this is a proxy; nil for others.
  public var deferral: Deferral?
  /// What it shows of a photo, if not the picture itself.
  public var part: AssetPart?
  /// Its title for people; empty for none.
  public var name: String
  /// The words by which ``AssetFilter`` finds it.
  public var tags: [String]

  private enum CodingKeys: String, CodingKey {
    case id, camera, mediaType, path, byteCount, sha256, size
    case created = "createdWallNanoseconds"
    case duration = "durationNanoseconds"
    case frames, requestID, isRecovered, condition, isProtected, layout, replaces, deferral, part,
      name, tags
  }

  /// "cam/2026/….jpg, 1280x720, 345678 bytes".
  public var description: String { "\(path), \(size), \(byteCount) bytes" }
}

extension Asset {
  /// A name for the asset's file here: the one that it has in the library, if a library gives such
  /// names, and otherwise its id. The node may not choose a name such as `.profile`, which other
  /// programs obey.
  package var fileName: String {
    let name = path.split(separator: "/").last ?? ""
    let isUsual = name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,127}/) != nil
    return isUsual ? String(name) : "\(id)"
  }
}

extension Asset {
  /// Whether it is a movie, and not a photo.
  public var isMovie: Bool { Self.isMovie(mediaType) }

  static func isMovie(_ mediaType: String) -> Bool {
    mediaType.hasPrefix("\(MediaType.Kind.movie.rawValue)/")
  }

  /// Whether it is a proxy: a JPEG in the place of a photo's files until these are made.
  public var isProxy: Bool { deferral != nil }
}
