import Digest
import OperatingSystem

extension MediaLibrary {
  /// How many assets a query selects, and how many bytes they have.
  package func totals(of query: AssetQuery) throws(MediaLibraryError) -> LibraryTotals {
    try index.totals(of: query)
  }

  /// A page of a list, newest first, without a look at the files.
  package func unseenAssets(
    _ query: AssetQuery, after cursor: AssetCursor?, limit: Int
  ) throws(MediaLibraryError) -> (assets: [Asset], next: AssetCursor?) {
    try index.assets(query, after: cursor, limit: limit)
  }

  /// Reads an asset's whole file, whatever its time of change says, and compares it with what was
  /// stored. Others are served in between.
  /// - Parameter goesOn: Called with the number of its bytes after each slice; false ends the
  ///   comparison.
  /// - Returns: The asset as it is now. Nil if it was removed, or the comparison was ended.
  package func verify(
    _ asset: Asset, while goesOn: @Sendable (_ byteCount: Int) -> Bool
  ) async throws(MediaLibraryError) -> Asset? {
    var seen = asset
    switch look(at: asset) {
    case .nothing: seen.isMissing = true
    case .another: seen.takeOther()
    case .file(let modifiedAt):
      let path = try layout.path(ofAsset: asset.relativePath)
      switch try await reading(of: path, while: goesOn) {
      case .ended: return nil
      case .digest(let sha256, _): seen.take(sha256, modifiedAt: modifiedAt)
      case .unreadable: seen.take(nil, modifiedAt: modifiedAt)
      }
    case .unknown: break
    }
    if seen != asset { try index.update(filesOf: [seen]) }
    // It may have been removed or tagged meanwhile.
    return try index.asset(asset.id)
  }

  /// What a file's bytes are.
  enum Reading {
    case digest(SHA256Digest, byteCount: Int)
    case unreadable
    /// Nobody wants to know any more.
    case ended
  }

  /// Reads a whole file in slices. Others are served in between.
  /// - Parameter goesOn: Called with the number of its bytes after each slice.
  func reading(
    of path: String, while goesOn: @Sendable (_ byteCount: Int) -> Bool
  ) async throws(MediaLibraryError) -> Reading {
    let digest = FileDigest(of: path, isNew: false)
    var byteCount = 0
    while true {
      // A library that was closed meanwhile stops reading.
      _ = try index
      let sha256: SHA256Digest?
      do throws(SystemError) {
        sha256 = try digest.takeSlice()
      } catch {
        return .unreadable
      }
      let isWanted = goesOn(digest.byteCount - byteCount)
      byteCount = digest.byteCount
      if let sha256 { return .digest(sha256, byteCount: byteCount) }
      guard isWanted else { return .ended }
      await Task.yield()
    }
  }
}

extension Asset {
  /// Takes what the bytes of a file of the right size are.
  /// - Parameter digest: Nil if they cannot be read.
  mutating func take(_ digest: SHA256Digest?, modifiedAt: Int64) {
    isMissing = false
    isChanged = digest != sha256
    self.modifiedAt = digest == nil ? nil : modifiedAt
  }

  /// Something else is in the file's place.
  mutating func takeOther() {
    (isMissing, isChanged, modifiedAt) = (false, true, nil)
  }
}
