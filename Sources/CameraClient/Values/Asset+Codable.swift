extension Asset {
  /// Whether it is a movie, and not a photo.
  public var isMovie: Bool { mediaType.hasPrefix("video/") }

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
