import MediaLibrary
import Words

extension AssetDescription {
  /// A description of a camera's photo or movie. The default time is 2026-05-04 10:11:12.345 UTC.
  static func photo(
    _ camera: String = "front",
    at createdAt: Int64 = 1_777_889_472_345_678_901,
    requestID: [UInt8]? = nil
  ) -> AssetDescription {
    AssetDescription(
      camera: camera,
      mediaType: .jpeg,
      width: 640,
      height: 480,
      createdAt: createdAt,
      requestID: requestID
    )
  }

  static func movie(
    _ camera: String = "front",
    requestID: [UInt8]? = nil
  ) -> AssetDescription {
    var description = photo(camera, requestID: requestID)
    description.mediaType = .matroska
    return description
  }
}

extension MediaLibrary {
  /// A page of a list, as one request gets it.
  func assets(
    _ query: AssetQuery = AssetQuery(), after cursor: AssetCursor? = nil, limit: Int
  ) async throws -> AssetPage {
    try await assets(
      query, after: cursor, limit: limit, digesting: Self.digestedByteCount)
  }

  /// The assets that are selected, from the first page.
  func assets(
    camera: String? = nil,
    idPrefix: [UInt8]? = nil,
    requestID: [UInt8]? = nil,
    limit: Int
  ) async throws -> [Asset] {
    var query = AssetQuery()
    query.cameras = camera.map { [$0] }
    query.idPrefix = idPrefix
    query.requestID = requestID
    return try await assets(query, limit: limit).assets
  }

  /// Begins to finish a movie, and runs `body` on the library's thread before that has ended.
  func finishMovie(
    _ draft: AssetDraft, during body: @Sendable (isolated MediaLibrary) throws -> Void
  ) async throws -> Asset {
    let movie = Task.immediate {
      try await self.finishMovie(draft, duration: .seconds(1), frameCount: 30)
    }
    try body(self)
    return try await movie.value
  }

  /// All bytes of an asset.
  func bytes(of asset: Asset) throws -> [UInt8] {
    let reader = try open(asset)
    defer { close(reader) }
    return try reader.read(offset: 0, count: asset.byteCount)
  }
}
