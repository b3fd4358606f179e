import Digest
package import EventLoop
import Glibc
package import OperatingSystem

/// A durable store of photos and movies: a folder of files and an index of them.
///
/// An asset is acknowledged when its complete file is on the disk under its final name and its row
/// is committed. Before that it is invisible. `LibraryLayout` describes the folder.
///
/// The library runs on a thread of its own, because the disk blocks and neither frames nor requests
/// may wait for it. Open it before use and close it afterwards. While it is open, no other library
/// of this process or another can open the folder.
package actor MediaLibrary: LoopActor {
  /// The bytes that stay free on the disk by default, so that the rest of the system keeps working.
  package static let defaultReserve = DiskReserve.byteCount

  package nonisolated let loop: EventLoop
  nonisolated let layout: LibraryLayout
  private let storage: StorageCheck
  private let group: FileGroup?
  private var opened: Opened?
  /// Whether the folder's path was a link when the library was opened.
  private var isLink = false
  /// Whether the library is in use, also while its folder is gone.
  private var isInUse = false
  private var onFinding: (@Sendable (LibraryFinding) -> Void)?
  var space: SpaceWatch?
  var quota = LibraryQuota()
  var quotaKeeper: QuotaKeeper?
  var onQuotaChange: (@Sendable (QuotaReport) -> Void)?
  var lastQuotaReport: QuotaReport?
  /// How many readers of each asset there are.
  private(set) var openReaders: [AssetID: Int] = [:]
  private var storingCameras: [String] = []
  /// What the last opening has found.
  package private(set) var findings: [LibraryFinding] = []
  /// Movies whose ends were reported, which the index could not take yet.
  var unnotedEnds: Set<AssetID> = []

  /// The resources of an open library.
  private struct Opened: ~Copyable {
    let index: AssetIndex
    let lock: LibraryLock

    var isInPlace: Bool { lock.isInPlace && index.isInPlace }
  }

  /// - Parameters:
  ///   - folder: The library's folder. It is created if it does not exist.
  ///   - loop: The library's thread. Nothing urgent may run on it.
  ///   - minimumFreeBytes: The bytes that must stay free on the disk. Storing more is refused.
  ///   - group: The group that may read the photos and movies.
  /// - Throws: `invalidArgument` for a folder without a name. Only ``open()`` looks at the folder
  ///   itself.
  package init(
    folder: String,
    loop: EventLoop,
    minimumFreeBytes: Int = defaultReserve,
    group: FileGroup? = nil
  ) throws(MediaLibraryError) {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw MediaLibraryError(.invalidArgument, "the library's folder has no name: name one")
    }
    layout = LibraryLayout(folder: folder)
    self.loop = loop
    storage = StorageCheck(layout: layout, reserve: minimumFreeBytes)
    self.group = group
  }

  /// The absolute path of the library's folder, without a slash at its end.
  package nonisolated var folder: String { layout.folder }

  /// Locks the folder and handles the files that a crash has left.
  /// - Returns: Unusual findings, for the log.
  /// - Throws: `inUse`, `permissionDenied`, `readOnly`, `notAFolder`, `storageFull`,
  ///   `newerVersion` or `storageFailed`, depending on why the folder cannot be used.
  @discardableResult
  package func open() throws(MediaLibraryError) -> [LibraryFinding] {
    precondition(!isInUse, "the library \(folder) is open already")
    try layout.onDisk { () throws(SystemError) in
      try Folder.create(layout.folder, for: group)
    }
    isLink = layout.isLink
    let findings = try openFolder()
    isInUse = true
    return findings
  }

  /// Calls `report` on the library's thread for each finding after the opening.
  package func watchFindings(_ report: @escaping @Sendable (LibraryFinding) -> Void) {
    onFinding = report
  }

  /// - Parameter isNew: Whether a library may be made there.
  private func openFolder(isNew: Bool = true) throws(MediaLibraryError) -> [LibraryFinding] {
    // Below the folder are the folders of cameras, and in them those of days.
    try layout.onDisk { () throws(SystemError) in try group?.take(folder: folder, depth: 2) }
    try layout.requireOwnFiles()
    let lock = try LibraryLock(layout)
    let index: AssetIndex
    do throws(MediaLibraryError) {
      (index, findings) = try openIndex(isNew: isNew)
    } catch {
      guard isNew, error.code == .indexDamaged else { throw error }
      // Cameras can store again, and the files are still there.
      let copy = try layout.onDisk { () throws(SystemError) in try layout.setIndexAside() }
      (index, findings) = try openIndex(isNew: true)
      findings.insert(.damagedIndex(copy: copy), at: 0)
    }
    opened = Opened(index: index, lock: lock)
    return findings
  }

  private func openIndex(
    isNew: Bool
  ) throws(MediaLibraryError) -> (AssetIndex, [LibraryFinding]) {
    let index = try AssetIndex(layout, isNew: isNew)
    let migration = index.copyBeforeMigration.map { LibraryFinding.migrated(copy: $0) }
    do throws(MediaLibraryError) {
      return (index, [migration].compactMap(\.self) + (try LibraryInspection(layout, index).run()))
    } catch {
      index.close()
      throw error
    }
  }

  /// Releases the folder. Later calls fail with `notOpen`. Closing again does nothing.
  package func close() {
    noteEnds()
    unnotedEnds = []
    space?.end()
    space = nil
    quotaKeeper?.end()
    (quotaKeeper, onQuotaChange, lastQuotaReport) = (nil, nil, nil)
    openReaders = [:]
    opened?.index.close()
    opened = nil
    isInUse = false
    onFinding = nil
  }

  // MARK: Queries

  /// The asset with this id, even if its file is missing.
  package func asset(_ id: AssetID) throws(MediaLibraryError) -> Asset? {
    try index.asset(id)
  }

  package func totals() throws(MediaLibraryError) -> LibraryTotals {
    try index.totals()
  }

  /// Opens the asset's file for reading. The caller closes the reader.
  /// - Throws: `assetMissing` or `assetChanged` if the file is not what was stored, as far as its
  ///   size and ``checkedAsset(_:)`` tell; `noSuchAsset` if the asset was removed.
  package func open(_ asset: Asset) throws(MediaLibraryError) -> AssetReader {
    guard let asset = try index.asset(asset.id) else { throw .noSuchAsset(asset.id) }
    let reader = try AssetReader(asset, layout)
    openReaders[asset.id, default: 0] += 1
    return reader
  }

  /// Reads a range of an asset, on the library's thread.
  package func read(
    _ range: Range<Int>, from reader: AssetReader
  ) throws(MediaLibraryError) -> [UInt8] {
    try reader.read(offset: range.lowerBound, count: range.count)
  }

  /// Checks the bytes that a reader has read, if it has read the whole file.
  /// - Throws: `assetChanged` if they are not those that were stored.
  package func check(_ reader: AssetReader) throws(MediaLibraryError) {
    do {
      try reader.check()
    } catch {
      try index.setChanged(reader.asset)
      throw error
    }
  }

  /// Closes a reader, on the library's thread.
  package func close(_ reader: AssetReader) {
    guard reader.close() else { return }
    let count = (openReaders[reader.asset] ?? 1) - 1
    openReaders[reader.asset] = count > 0 ? count : nil
  }

  /// Watches until the library is closed whether it can store more.
  /// - Parameters:
  ///   - cameras: The cameras that store photos and movies.
  ///   - onChange: Called on the library's thread, at once and after each change.
  package func watchSpace(
    for cameras: [String], onChange: @escaping @Sendable (LibraryRoom) -> Void
  ) {
    storingCameras = cameras
    let (storage, layout) = (storage, layout)
    space = SpaceWatch(
      on: loop,
      look: { [weak self] byteCount in
        let (cameras, displacement) =
          self?.assumeIsolated { ($0.storingCameras, $0.displacement) } ?? ([], nil)
        let folders = cameras.map { ($0, layout.presentFolder(ofCamera: $0)) }
        var room = storage.room(
          for: byteCount, in: Dictionary(folders, uniquingKeysWith: { first, _ in first }))
        room.error = displacement ?? room.error
        return room
      },
      onChange: { [weak self] room in
        if room.error == nil { self?.assumeIsolated { $0.noteEnds() } }
        onChange(room)
      })
    space?.begin()
  }

  /// Watches from now on whether these cameras can store.
  package func watchSpace(of cameras: [String]) {
    storingCameras = cameras
    space?.check()
  }

  // MARK: Internals

  var index: AssetIndex {
    get throws(MediaLibraryError) {
      guard isInUse else {
        throw MediaLibraryError(.notOpen, "the library \(folder) is not open: open it first")
      }
      if let index = opened?.index, opened?.isInPlace == true, isLink || !layout.isLink {
        return index
      }
      return try openReplacement()
    }
  }

  /// Why the folder at the library's path cannot be used instead of the one that was opened; nil if
  /// it can.
  private var displacement: MediaLibraryError? {
    do throws(MediaLibraryError) {
      try requirePlace()
      return nil
    } catch {
      return error
    }
  }

  private func requirePlace() throws(MediaLibraryError) {
    try layout.requirePlace(wasLink: isLink, isSame: opened?.lock.isInPlace == true)
  }

  /// Opens what is there now, in the place of a folder or index that was deleted or moved away.
  private func openReplacement() throws(MediaLibraryError) -> AssetIndex {
    let place = displacement
    let isSame = opened?.lock.isInPlace == true
    opened?.index.close()
    opened = nil
    if let place { throw place }
    // Another folder may have come since the look, and must not become a library.
    let findings = try openFolder(isNew: isSame)
    let index = try index
    let assetCount = try index.totals().count
    for finding in [.replaced(folder: folder, assetCount: assetCount)] + findings {
      onFinding?(finding)
    }
    return index
  }

  /// - Throws: `storageFailed` if what was opened is not at its path any more: what was written
  ///   went elsewhere.
  func requireInPlace() throws(MediaLibraryError) {
    guard opened?.isInPlace == true else {
      throw MediaLibraryError(
        .storageFailed, "the library \(folder) was moved away while something was stored: try again"
      )
    }
  }

  /// - Parameter rest: The bytes that must stay free beside it; negative for bytes that it may take
  ///   of the reserve.
  /// - Throws: The error that readiness shows for a photo of so many bytes, if it could not be
  ///   stored: `storageFull`, `readOnly`, `notAFolder`, `permissionDenied` or `storageFailed`.
  func requireSpace(
    for byteCount: Int, leaving rest: Int = 0, _ draft: AssetDraft
  ) throws(MediaLibraryError) {
    _ = try index
    space?.asked(for: byteCount)
    let camera = draft.description.camera
    let room = storage.room(
      for: byteCount + rest, in: [camera: Folder.parent(of: draft.relativePath)])
    if let error = room.error(ofCamera: camera) { throw error }
  }
}

extension MediaLibraryError {
  package static func noSuchAsset(_ id: AssetID) -> MediaLibraryError {
    MediaLibraryError(.noSuchAsset, "the library has no asset \(id): list them to see which it has")
  }
}
