import OperatingSystem

extension MediaLibrary {
  /// Deletes the asset's file and its row in the index. A file that is gone already is fine. After
  /// a power cut the next opening finishes a deletion that had begun.
  /// - Returns: The asset as it was.
  /// - Throws: `noSuchAsset`, `assetProtected`, or an error of the disk. The asset is unchanged
  ///   then.
  @discardableResult
  package func remove(_ id: AssetID) throws(MediaLibraryError) -> Asset {
    let index = try index
    guard let asset = try index.asset(id) else { throw .noSuchAsset(id) }
    guard !asset.isProtected else { throw .protected(asset) }
    do throws(MediaLibraryError) {
      try index.setBeingDeleted(true, id)
    } catch {
      // On a full disk the file makes the room that the index needs. If the power fails before the
      // row is deleted, the asset is listed as missing.
      guard error.code == .storageFull else { throw error }
    }
    do throws(MediaLibraryError) {
      try layout.onDisk { () throws(SystemError) in try layout.removeFile(of: asset) }
    } catch {
      // Report the first failure. If this fails too, the next opening deletes the asset.
      try? index.setBeingDeleted(false, id)
      throw error
    }
    try index.delete(id)
    if asset.deferral != nil { removeDeferredFile(id) }
    space?.check()
    return asset
  }

  /// The ids that are those of assets.
  /// - Parameter cameras: Only of these; nil for all.
  package func known(
    _ ids: [AssetID], ofCameras cameras: Set<String>? = nil
  ) throws(MediaLibraryError) -> Set<AssetID> {
    try index.known(ids, ofCameras: cameras)
  }

  /// Protects an asset from ``remove(_:)``, or ends its protection.
  /// - Returns: The asset as it is now, and whether it was different before.
  @discardableResult
  package func protect(
    _ id: AssetID, _ isProtected: Bool
  ) throws(MediaLibraryError) -> (asset: Asset, hasChanged: Bool) {
    guard var asset = try index.asset(id) else { throw .noSuchAsset(id) }
    guard asset.isProtected != isProtected else { return (asset, false) }
    try index.setProtected(isProtected, id)
    asset.isProtected = isProtected
    return (asset, true)
  }

  /// Changes the name and the tags of an asset, and not its file.
  /// - Returns: The asset as it is now, and whether it was different before.
  /// - Throws: `noSuchAsset`, `invalidArgument` for too many tags, or an error of the disk. The
  ///   asset is unchanged then.
  @discardableResult
  package func label(
    _ id: AssetID, _ change: LabelChange
  ) throws(MediaLibraryError) -> (asset: Asset, hasChanged: Bool) {
    guard var asset = try index.asset(id) else { throw .noSuchAsset(id) }
    let labels = try change.applied(to: asset.description.labels)
    guard labels != asset.description.labels else { return (asset, false) }
    try index.setLabels(labels, id)
    asset.description.labels = labels
    return (asset, true)
  }
}

extension MediaLibraryError {
  static func protected(_ asset: Asset) -> MediaLibraryError {
    MediaLibraryError(
      .assetProtected, "\(asset.relativePath) is protected: end its protection before you delete it"
    )
  }

  /// An asset's file that is gone or has other bytes.
  /// - Parameter path: The file's absolute path.
  static func missing(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .assetMissing, "the file \(path) is gone: put it back, or delete the asset")
  }

  static func changed(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .assetChanged,
      "the file \(path) is no longer what was stored: put the original back, or delete the asset"
    )
  }
}
