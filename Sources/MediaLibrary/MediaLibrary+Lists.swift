import Digest
import Glibc
import OperatingSystem

extension MediaLibrary {
  /// How many bytes of files with a new time of change one list digests at most. The other files
  /// keep their conditions until a later list.
  package static let digestedByteCount = 64 << 20

  /// Lists assets, newest first, after a look at each of their files.
  ///
  /// A look costs one call of the system. Only a file whose time of change is new is read: it may
  /// have been edited, or copied with the same bytes.
  /// - Parameters:
  ///   - cursor: Where the list begins: `next` of the page before.
  ///   - byteCount: The most bytes of files to digest.
  package func assets(
    _ query: AssetQuery,
    after cursor: AssetCursor?,
    limit: Int,
    digesting byteCount: Int
  ) async throws(MediaLibraryError) -> AssetPage {
    let (assets, next) = try index.assets(query, after: cursor, limit: max(0, limit))
    let (seen, bytesLeft) = try await lookingAtFiles(of: assets, digesting: byteCount)
    let changes = zip(assets, seen).filter { $0.condition != $1.condition }.map(\.1)
    return AssetPage(
      assets: seen, next: next, changes: changes, digestedByteCount: byteCount - bytesLeft)
  }

  /// Whether there is an asset of this camera.
  package func hasAssets(ofCamera camera: String) throws(MediaLibraryError) -> Bool {
    try index.hasAssets(ofCamera: camera)
  }

  /// The asset with this id, after a look at its file, however large it is.
  package func checkedAsset(_ id: AssetID) async throws(MediaLibraryError) -> Asset? {
    guard let asset = try index.asset(id) else { return nil }
    return try await lookingAtFiles(of: [asset], digesting: .max).assets.first
  }

  /// Looks at the files of assets and stores what has changed.
  /// - Parameter byteCount: The most bytes to digest.
  /// - Returns: The assets, and how many more bytes could have been digested.
  private func lookingAtFiles(
    of assets: [Asset],
    digesting byteCount: Int
  ) async throws(MediaLibraryError) -> (assets: [Asset], bytesLeft: Int) {
    var (seen, bytesLeft) = ([Asset](), byteCount)
    for asset in assets {
      var asset = asset
      switch look(at: asset) {
      case .nothing: asset.isMissing = true
      case .another: asset.takeOther()
      case .file(let modifiedAt):
        let isUnknown = asset.modifiedAt == nil && !asset.isChanged
        if asset.modifiedAt == modifiedAt || isUnknown {
          (asset.isMissing, asset.modifiedAt) = (false, modifiedAt)
        } else if asset.byteCount <= bytesLeft {
          bytesLeft -= asset.byteCount
          asset.take(try await digest(ofFile: asset), modifiedAt: modifiedAt)
        }
      case .unknown: break
      }
      seen.append(asset)
    }
    let changed = zip(assets, seen).filter { $0 != $1 }.map(\.1)
    if !changed.isEmpty { try index.update(filesOf: changed) }
    return (seen, bytesLeft)
  }

  enum Sighting {
    /// A file of the right size.
    case file(modifiedAt: Int64)
    /// A file of another size, or something that is no file.
    case another
    case nothing
    /// The disk does not say.
    case unknown
  }

  func look(at asset: Asset) -> Sighting {
    guard let path = try? layout.path(ofAsset: asset.relativePath) else { return .another }
    do {
      let status = try FileStatus(at: path, followsLinks: false)
      return status.isRegularFile && status.byteCount == asset.byteCount
        ? .file(modifiedAt: status.modifiedAt) : .another
    } catch {
      return [ENOENT, ENOTDIR].contains(error.errno) ? .nothing : .unknown
    }
  }

  /// The digest of the asset's file; nil if it cannot be read. Others are served in between.
  private func digest(ofFile asset: Asset) async throws(MediaLibraryError) -> SHA256Digest? {
    let path = try layout.path(ofAsset: asset.relativePath)
    guard case .digest(let digest, _) = try await reading(of: path, while: { _ in true }) else {
      return nil
    }
    return digest
  }
}
