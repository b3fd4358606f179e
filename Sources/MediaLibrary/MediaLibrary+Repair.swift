package import Digest
import Glibc
import OperatingSystem
package import Words

/// A file in the folder of a camera that the index does not list.
package struct UnlistedFile: Hashable, Sendable {
  /// Below the library's folder.
  package let relativePath: String
  /// The absolute path.
  package let path: String
  package let byteCount: Int
  package let sha256: SHA256Digest
  let modifiedAt: Int64
  /// What its name says.
  let name: AssetName

  package var camera: String { name.camera }
  package var mediaType: MediaType { name.mediaType }
}

/// What was found out of a file that the index does not list.
package enum UnlistedSighting: Sendable {
  /// It is the file of an asset that was missing, and is listed as such again.
  case found(Asset)
  /// It is no asset's file.
  case unknown(UnlistedFile)
  /// It stays as it is, and why.
  case left(MediaLibraryError)
  /// Nobody wants to know any more.
  case ended
}

extension MediaLibrary {
  /// The files in the folders of cameras that the index does not list, below the library's folder,
  /// sorted.
  package func unlistedFiles() throws(MediaLibraryError) -> [String] {
    try LibraryInspection(layout, index).reconcile().unlisted
  }

  /// Reads a file that the index does not list. If it has the bytes of a missing asset, it is the
  /// asset's file from now on. Others are served in between.
  /// - Parameters:
  ///   - relativePath: Below the library's folder.
  ///   - goesOn: Called with the number of its bytes after each slice; false ends the reading.
  package func examine(
    _ relativePath: String, while goesOn: @Sendable (_ byteCount: Int) -> Bool
  ) async throws(MediaLibraryError) -> UnlistedSighting {
    guard let path = try? layout.path(ofAsset: relativePath),
      let status = try? FileStatus(at: path, followsLinks: false), status.isRegularFile
    else { return .left(.notAFile(relativePath)) }
    guard !status.hasOtherNames else { return .left(.hasOtherNames(relativePath)) }
    let sha256: SHA256Digest
    switch try await reading(of: path, while: goesOn) {
    case .digest(let digest, let byteCount) where byteCount == status.byteCount: sha256 = digest
    case .digest: return .left(.beingWritten(relativePath))
    case .unreadable: return .left(.unreadable(relativePath))
    case .ended: return .ended
    }
    let missing = try index.missing(sha256: sha256, byteCount: status.byteCount)
    for asset in missing where asset.mediaType.kind == relativePath.kind && !hasFile(asset) {
      try index.setPath(relativePath, modifiedAt: status.modifiedAt, asset.id)
      guard let asset = try index.asset(asset.id) else { continue }
      return .found(asset)
    }
    guard let name = AssetName(ofFileAt: relativePath) else {
      return .left(.notNamed(relativePath))
    }
    return .unknown(
      UnlistedFile(
        relativePath: relativePath, path: path, byteCount: status.byteCount, sha256: sha256,
        modifiedAt: status.modifiedAt, name: name))
  }

  /// Lists a file that was examined. Its asset is not protected.
  /// - Parameters:
  ///   - size: Of its pictures.
  ///   - createdAt: When a movie's first frame was exposed; nil for what the name says.
  ///   - movie: Its duration and its number of frames; nil for a photo.
  /// - Throws: `assetChanged` if it was changed meanwhile.
  package func adopt(
    _ file: UnlistedFile, size: (width: Int, height: Int), createdAt: Int64?,
    movie: (duration: Duration, frameCount: Int)?, _ labels: AssetLabels
  ) throws(MediaLibraryError) -> Asset {
    let status = try layout.onDisk { () throws(SystemError) in
      try FileStatus(at: file.path, followsLinks: false)
    }
    guard status.isRegularFile, status.byteCount == file.byteCount,
      status.modifiedAt == file.modifiedAt
    else { throw .beingWritten(file.relativePath) }
    let asset = Asset(
      id: file.name.id(sha256: file.sha256, path: file.relativePath),
      description: AssetDescription(
        camera: file.camera, mediaType: file.mediaType, width: size.width, height: size.height,
        createdAt: createdAt ?? file.name.createdAt, part: file.name.part, labels: labels),
      relativePath: file.relativePath,
      byteCount: file.byteCount,
      sha256: file.sha256,
      duration: movie?.duration,
      frameCount: movie?.frameCount,
      isRecovered: false,
      deferral: nil,
      modifiedAt: file.modifiedAt
    )
    try index.insert(asset)
    quotaKeeper?.look()
    return asset
  }

  /// Removes the row of an asset whose file is gone, and no file.
  /// - Returns: The asset as it was; nil if it is not missing, or was removed.
  /// - Throws: `assetProtected`.
  package func forget(_ id: AssetID) throws(MediaLibraryError) -> Asset? {
    guard let asset = try index.asset(id), case .nothing = look(at: asset) else { return nil }
    guard !asset.isProtected else { throw .protected(asset) }
    try index.delete(id)
    if asset.deferral != nil { removeDeferredFile(id) }
    return asset
  }

  // MARK: Movies that were set aside

  /// The names of movies that were set aside.
  package func namesSetAside() throws(MediaLibraryError) -> [String] {
    try layout.onDisk { () throws(SystemError) in
      do throws(SystemError) {
        return try Folder.names(in: LibraryLayout.setAside, below: layout.folder)
      } catch {
        guard error.errno == ENOENT || error.errno == ENOTDIR else { throw error }
        return []
      }
    }
  }

  /// Begins to recover a movie that was set aside: it is among ``unfinishedMovies()`` then.
  /// - Parameter cameras: Only of these; nil for all.
  /// - Returns: Nil for what is not named as the library names movies.
  package func takeUp(
    setAside name: String, ofCameras cameras: Set<String>? = nil
  ) throws(MediaLibraryError) -> AssetDraft? {
    guard let parts = AssetName(name), parts.mediaType.kind == .movie, parts.part == nil,
      cameras?.contains(parts.camera) ?? true
    else { return nil }
    let description = AssetDescription(
      camera: parts.camera, mediaType: parts.mediaType, width: 0, height: 0,
      createdAt: parts.createdAt)
    let source = "\(layout.folder)/\(LibraryLayout.setAside)/\(name)"
    let isFile = try? FileStatus(at: source, followsLinks: false).isRegularFile
    guard isFile == true, let id = parts.id(),
      let draft = try? AssetDraft(id, description, hasEnded: true, in: layout), draft.name == name
    else { return nil }
    try layout.onDisk { () throws(SystemError) in
      try layout.makeIncoming()
      try Folder.create(Folder.parent(of: draft.relativePath), below: layout.folder)
      // If the node is killed before the row is there, the next opening sets it aside again.
      try Folder.move(source, to: "\(LibraryLayout.incoming)/\(name)", below: layout.folder)
    }
    do throws(MediaLibraryError) {
      try index.insertDraft(id, description, hasEnded: true)
    } catch {
      _ = try? layout.setAside(name)
      throw error
    }
    return draft
  }

  private func hasFile(_ asset: Asset) -> Bool {
    if case .nothing = look(at: asset) { return false }
    return true
  }
}

extension String {
  /// Of the file at a path.
  fileprivate var kind: MediaType.Kind? {
    let end = split(separator: ".").last
    return MediaType.allCases.first { end.map { String($0) } == $0.fileExtension }?.kind
  }
}

extension Asset {
  fileprivate var mediaType: MediaType { description.mediaType }
}

extension MediaLibraryError {
  fileprivate static func notAFile(_ path: String) -> MediaLibraryError {
    MediaLibraryError(.invalidArgument, "\(path) is no regular file: put a file there")
  }

  fileprivate static func hasOtherNames(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .invalidArgument,
      "\(path) has a second name, so that it may be somebody else's: copy it, if it belongs here")
  }

  fileprivate static func beingWritten(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .assetChanged, "\(path) was changed while it was read: repair again when it is complete")
  }

  fileprivate static func unreadable(_ path: String) -> MediaLibraryError {
    MediaLibraryError(.storageFailed, "\(path) cannot be read: look after its disk")
  }

  fileprivate static func notNamed(_ path: String) -> MediaLibraryError {
    MediaLibraryError(
      .invalidArgument,
      "\(path) is not named as the node names its files, so it is left to you: move it away, or keep it"
    )
  }
}
