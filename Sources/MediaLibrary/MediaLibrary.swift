package import Digest
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
  private let minimumFreeBytes: Int
  private let group: FileGroup?
  private var opened: Opened?
  /// Whether the library is in use, also while its folder is gone.
  private var isInUse = false
  private var onFinding: (@Sendable (LibraryFinding) -> Void)?
  var space: SpaceWatch?

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
    self.minimumFreeBytes = minimumFreeBytes
    self.group = group
  }

  /// The absolute path of the library's folder, without a slash at its end.
  package nonisolated var folder: String { layout.folder }

  /// Locks the folder and handles the files that a crash has left.
  /// - Returns: Unusual findings, for the log.
  /// - Throws: `inUse`, `permissionDenied`, `readOnly`, `notAFolder`, `storageFull`,
  ///   `indexDamaged`, `newerVersion` or `storageFailed`, depending on why the folder cannot be
  ///   used.
  @discardableResult
  package func open() throws(MediaLibraryError) -> [LibraryFinding] {
    precondition(!isInUse, "the library \(folder) is open already")
    try layout.onDisk { () throws(SystemError) in
      try Folder.create(layout.folder, for: group)
    }
    let findings = try openFolder()
    isInUse = true
    return findings
  }

  /// Calls `report` on the library's thread for each finding after the opening.
  package func watchFindings(_ report: @escaping @Sendable (LibraryFinding) -> Void) {
    onFinding = report
  }

  private func openFolder() throws(MediaLibraryError) -> [LibraryFinding] {
    // Below the folder are the folders of cameras, and in them those of days.
    try layout.onDisk { () throws(SystemError) in try group?.take(folder: folder, depth: 2) }
    let lock = try LibraryLock(layout)
    let index = try AssetIndex(layout)
    let findings = try LibraryInspection(layout, index).run()
    opened = Opened(index: index, lock: lock)
    return findings
  }

  /// Releases the folder. Later calls fail with `notOpen`. Closing again does nothing.
  package func close() {
    space?.end()
    space = nil
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

  /// The free bytes of the library's disk, including the reserve.
  package func freeBytes() throws(MediaLibraryError) -> Int {
    try layout.onDisk { () throws(SystemError) in try Folder.freeBytes(layout.folder) }
  }

  /// Opens the asset's file for reading. The caller closes the reader.
  /// - Throws: `assetMissing` or `assetChanged` if the file is not what was stored, as far as its
  ///   size and ``checkedAsset(_:)`` tell; `noSuchAsset` if the asset was removed.
  package func open(_ asset: Asset) throws(MediaLibraryError) -> AssetReader {
    guard let asset = try index.asset(asset.id) else { throw .noSuchAsset(asset.id) }
    return try AssetReader(asset, layout)
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
  package func close(_ reader: AssetReader) { reader.close() }

  /// Computes the digest of a photo that is not stored, on the library's thread.
  package func digest(of photo: some ByteSource) -> SHA256Digest {
    photo.withBytes { SHA256.hash(of: $0) }
  }

  /// Watches the room on the disk until the library is closed.
  /// - Parameter onChange: called on the library's thread, at once and after each change.
  package func watchSpace(onChange: @escaping @Sendable (LibraryRoom) -> Void) {
    let (folder, reserve) = (folder, minimumFreeBytes)
    space = SpaceWatch(
      on: loop, reserve: reserve,
      freeBytes: { Folder.exists(folder) ? try? Folder.freeBytes(folder) : nil },
      onChange: onChange)
    space?.begin()
  }

  // MARK: Internals

  var index: AssetIndex {
    get throws(MediaLibraryError) {
      guard isInUse else {
        throw MediaLibraryError(.notOpen, "the library \(folder) is not open: open it first")
      }
      if let index = opened?.index, opened?.isInPlace == true { return index }
      return try openReplacement()
    }
  }

  /// Opens what is there now, in the place of a folder or index that was deleted or moved away.
  private func openReplacement() throws(MediaLibraryError) -> AssetIndex {
    opened?.index.close()
    opened = nil
    // It is not made here: the folder may be missing because its disk is.
    guard Folder.exists(folder) else {
      throw MediaLibraryError(
        .storageFailed, "the library \(folder) is gone: make its folder again, or mount its disk")
    }
    let findings = try openFolder()
    let index = try index
    let assetCount = try index.totals().count
    for finding in [.replaced(folder: folder, assetCount: assetCount)] + findings {
      onFinding?(finding)
    }
    return index
  }

  /// - Throws: `storageFull` if storing this many bytes would use the reserve.
  func requireSpace(for byteCount: Int) throws(MediaLibraryError) {
    // A folder that is gone is a better answer than a disk that cannot be read.
    _ = try index
    let free = try freeBytes()
    space?.asked(for: byteCount, free: free)
    guard free - byteCount < minimumFreeBytes else { return }
    throw MediaLibraryError(
      .storageFull,
      "the disk of \(folder) has \(free.byteWords) free and keeps \(minimumFreeBytes.byteWords) in reserve: "
        + "delete photos or movies there, or choose a folder on another disk"
    )
  }
}

extension MediaLibraryError {
  package static func noSuchAsset(_ id: AssetID) -> MediaLibraryError {
    MediaLibraryError(.noSuchAsset, "the library has no asset \(id): list them to see which it has")
  }
}
