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
  /// When it was taken or began, nanoseconds since 1970.
  public var createdWallNanoseconds: Int64
  /// How long a movie is; 0 for a photo.
  public var durationNanoseconds: Int64
  /// How many pictures a movie has; 0 for a photo.
  public var frames: UInt64
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
  public var isMovie: Bool { mediaType.hasPrefix("\(MediaType.Kind.movie.rawValue)/") }

  /// Whether it is a proxy: a JPEG in the place of a photo's files until these are made.
  public var isProxy: Bool { deferral != nil }

  private enum CodingKeys: CodingKey {
    case id, camera, mediaType, path, byteCount, sha256, size, createdWallNanoseconds
    case durationNanoseconds, frames, requestID, isRecovered, condition, isProtected, layout
    case replaces, deferral, part
  }

  /// Reads the JSON that ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(Identifier.self, forKey: .id)
    camera = try values.decode(String.self, forKey: .camera)
    mediaType = try values.decode(String.self, forKey: .mediaType)
    path = try values.decode(String.self, forKey: .path)
    byteCount = try values.decode(UInt64.self, forKey: .byteCount)
    sha256 = try values.decode(String.self, forKey: .sha256)
    size = try values.decode(FrameSize.self, forKey: .size)
    createdWallNanoseconds = try values.decode(Int64.self, forKey: .createdWallNanoseconds)
    durationNanoseconds = try values.decodeIfPresent(Int64.self, forKey: .durationNanoseconds) ?? 0
    frames = try values.decodeIfPresent(UInt64.self, forKey: .frames) ?? 0
    requestID = try values.decodeIfPresent(Identifier.self, forKey: .requestID)
    isRecovered = try values.decode(Bool.self, forKey: .isRecovered)
    condition = try values.decode(AssetCondition.self, forKey: .condition)
    isProtected = try values.decode(Bool.self, forKey: .isProtected)
    layout = try values.decodeIfPresent(RawLayout.self, forKey: .layout)
    replaces = try values.decodeIfPresent(Identifier.self, forKey: .replaces)
    deferral = try values.decodeIfPresent(Deferral.self, forKey: .deferral)
    part = try values.decodeIfPresent(AssetPart.self, forKey: .part)
  }

  /// Writes its properties by their names. A photo has neither a duration nor a number of frames.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(camera, forKey: .camera)
    try values.encode(mediaType, forKey: .mediaType)
    try values.encode(path, forKey: .path)
    try values.encode(byteCount, forKey: .byteCount)
    try values.encode(sha256, forKey: .sha256)
    try values.encode(size, forKey: .size)
    try values.encode(createdWallNanoseconds, forKey: .createdWallNanoseconds)
    if isMovie {
      try values.encode(durationNanoseconds, forKey: .durationNanoseconds)
      try values.encode(frames, forKey: .frames)
    }
    try values.encodeIfPresent(requestID, forKey: .requestID)
    try values.encode(isRecovered, forKey: .isRecovered)
    try values.encode(condition, forKey: .condition)
    try values.encode(isProtected, forKey: .isProtected)
    try values.encodeIfPresent(layout, forKey: .layout)
    try values.encodeIfPresent(replaces, forKey: .replaces)
    try values.encodeIfPresent(deferral, forKey: .deferral)
    try values.encodeIfPresent(part, forKey: .part)
  }
}
