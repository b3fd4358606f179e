package import EventLoop
import Glibc
import OperatingSystem

/// What was captured, durable: a folder of photos and movies and an index of them.
///
/// An asset is acknowledged when its file is complete and on the disk, under its name, and its row is committed; until
/// then there is nothing to see of it. Where everything is: `LibraryLayout`.
///
/// The library lives on a thread of its own, for the disk blocks: neither frames nor requests may wait for it.
/// Open it before use and close it after; in between no other library, of this process or another, gets the folder.
package actor MediaLibrary: LoopActor {
  /// What stays free on the disk by default, so that the rest of the system goes on.
  package static let defaultReserve = 64 << 20

  package nonisolated let loop: EventLoop
  nonisolated let layout: LibraryLayout
  private let minimumFreeBytes: Int
  private var opened: Opened?

  /// What an open library holds.
  private struct Opened: ~Copyable {
    let index: AssetIndex
    let lock: LibraryLock
  }

  /// - Parameters:
  ///   - folder: made when it is not there.
  ///   - loop: the library's thread, which nothing else needs in a hurry.
  ///   - minimumFreeBytes: what must stay free on the disk; storing beyond is refused.
  /// - Throws: `invalidArgument` for a folder without a name. The folder itself is looked at by ``open()``.
  package init(
    folder: String,
    loop: EventLoop,
    minimumFreeBytes: Int = defaultReserve
  ) throws(MediaLibraryError) {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw MediaLibraryError(.invalidArgument, "the library's folder has no name: name one")
    }
    layout = LibraryLayout(folder: folder)
    self.loop = loop
    self.minimumFreeBytes = minimumFreeBytes
  }

  /// The library's folder, without a slash at its end.
  package nonisolated var folder: String { layout.folder }

  /// Takes the folder and deals with what a crash has left.
  /// - Returns: What was found, for the log.
  /// - Throws: Every way in which a folder cannot be used: `inUse`, `permissionDenied`, `readOnly`, `notAFolder`,
  ///   `storageFull`, `indexDamaged`, `newerVersion`, `storageFailed`.
  @discardableResult
  package func open() throws(MediaLibraryError) -> [LibraryFinding] {
    precondition(opened == nil, "the library \(folder) is open already")
    try onDisk { () throws(SystemError) in
      try Folder.create(layout.folder)
    }
    let lock = try LibraryLock(layout)
    let index = try AssetIndex(layout)
    let findings = try LibraryInspection(layout, index).run()
    opened = Opened(index: index, lock: lock)
    return findings
  }

  /// Lets go of the folder. What is called afterwards fails with `notOpen`; closing again does nothing.
  package func close() {
    opened?.index.close()
    opened = nil
  }

  // MARK: Asking

  /// The asset of this id, also when its file is missing.
  package func asset(_ id: AssetID) throws(MediaLibraryError) -> Asset? {
    try index.asset(id)
  }

  /// Assets whose files are there, newest first.
  /// - Parameters:
  ///   - camera: Only those of this camera.
  ///   - id: Only the one of this id.
  ///   - requestID: Only what was made for this request.
  package func assets(
    camera: String? = nil,
    id: AssetID? = nil,
    requestID: [UInt8]? = nil,
    limit: Int
  ) throws(MediaLibraryError) -> [Asset] {
    try index.assets(camera: camera, id: id, requestID: requestID, limit: max(0, limit))
  }

  package func totals() throws(MediaLibraryError) -> LibraryTotals {
    try index.totals()
  }

  /// Free bytes of the library's disk, the reserve among them.
  package func freeBytes() throws(MediaLibraryError) -> Int {
    try onDisk { () throws(SystemError) in try Folder.freeBytes(layout.folder) }
  }

  /// Opens the asset's file for reading; the reader is closed by its holder.
  /// - Throws: `assetMissing` when the file is gone, `noSuchAsset` when the asset was removed.
  package func open(_ asset: Asset) throws(MediaLibraryError) -> AssetReader {
    guard try index.asset(asset.id) != nil else { throw .noSuchAsset(asset.id) }
    return try AssetReader(asset, layout)
  }

  /// Deletes the asset's file and forgets it.
  /// - Throws: `noSuchAsset` when there is none; when the file cannot be deleted, the asset stays.
  package func remove(_ id: AssetID) throws(MediaLibraryError) {
    guard let asset = try index.asset(id) else { throw .noSuchAsset(id) }
    let path = try layout.path(ofAsset: asset.relativePath)
    try onDisk { () throws(SystemError) in try Folder.removeFile(path) }
    try index.delete(id)
  }

  // MARK: Inside

  var index: AssetIndex {
    get throws(MediaLibraryError) {
      guard let index = opened?.index else {
        throw MediaLibraryError(.notOpen, "the library \(folder) is not open: open it first")
      }
      return index
    }
  }

  /// - Throws: `storageFull` unless so many bytes can be stored without touching the reserve.
  func requireSpace(for byteCount: Int) throws(MediaLibraryError) {
    let free = try freeBytes()
    guard free - byteCount < minimumFreeBytes else { return }
    throw MediaLibraryError(
      .storageFull,
      "the disk of \(folder) has \(free) bytes free and keeps \(minimumFreeBytes) in reserve: "
        + "delete photos or movies there, or choose a folder on another disk"
    )
  }

  nonisolated func onDisk<R>(
    _ body: () throws(SystemError) -> R
  ) throws(MediaLibraryError) -> R {
    do {
      return try body()
    } catch {
      throw MediaLibraryError(error, in: folder)
    }
  }
}

extension MediaLibraryError {
  static func noSuchAsset(_ id: AssetID) -> MediaLibraryError {
    MediaLibraryError(.noSuchAsset, "the library has no asset \(id): list them to see which it has")
  }
}
