import Digest
import GRDB
import Glibc
import OperatingSystem

/// The SQLite index of a library, with a row for each asset and each movie that is being recorded.
/// Only the library's thread uses it.
///
/// It uses WAL mode with full synchronization, so that committed rows survive a power cut. It has
/// room on the disk for its next changes, so that a movie that fills the disk can still be listed.
///
/// SQLite has the index to itself, as the library has its folder. So it needs no memory that is
/// shared by a file, which 9p, FUSE and network file systems may lack.
struct AssetIndex {
  /// More than one change adds to the log: a few pages of each table and index.
  private static let roomPerChange: Int64 = 128 << 10

  /// All databases, also closed ones, which are small. To release one, libdispatch starts a thread,
  /// and waits for ever where the system has none left.
  private static let kept = Mutex<[DatabaseQueue]>([])

  private let database: DatabaseQueue
  private let layout: LibraryLayout
  /// The file that SQLite has open.
  private let file: FileStatus.Identity?

  /// The copy of the index that was kept before its schema changed; nil if it did not change.
  private(set) var copyBeforeMigration: String?

  /// Opens the index, or creates an empty one, and migrates it to the current schema.
  /// - Parameter isNew: Whether it may be created.
  /// - Throws: `storageFailed` if there is none and it may not be created.
  init(_ layout: LibraryLayout, isNew: Bool = true) throws(MediaLibraryError) {
    self.layout = layout
    // The lock makes sure that no other index in this process has these files open: to close a
    // file would release its locks (fcntl(2)).
    guard isNew || FileStatus.exists(layout.index) else { throw .isEmpty(layout.folder) }
    layout.keepIndexPrivate()
    database = try Self.wrap(layout.folder) {
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.busyMode = .timeout(2)
      // Before WAL mode, which keeps its own index in the memory of the process then.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      let database = try DatabaseQueue(path: layout.index, configuration: configuration)
      Self.kept.withLock { $0.append(database) }
      // Not in `prepareDatabase`, because setting WAL mode comes later and resets this to NORMAL.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      return database
    }
    // An earlier version had it.
    try? Folder.removeFile(layout.sharedMemory)
    file = try? FileStatus(at: layout.index).identity
    do throws(MediaLibraryError) {
      let schema = try read { try DatabaseMigrator.assets.completedMigrations($0).last }
      guard isNew || schema != nil else { throw .isEmpty(layout.folder) }
      if schema == nil, try read({ try $0.hasTables() }) { throw .foreignIndex(layout.folder) }
      copyBeforeMigration = try migrate(from: schema)
    } catch {
      close()
      throw error
    }
  }

  /// Before an earlier schema changes, a copy of the index is kept, because an earlier version of
  /// the program cannot use a changed one.
  /// - Parameter schema: The present one; nil for a new index.
  /// - Returns: The copy's name; nil if there is none.
  private func migrate(from schema: String?) throws(MediaLibraryError) -> String? {
    let migrator = DatabaseMigrator.assets
    guard try !read({ try migrator.hasBeenSuperseded($0) }) else {
      let copy = migrator.migrations.last.map(LibraryLayout.indexCopy).flatMap { name in
        FileStatus.exists("\(layout.folder)/\(name)") ? name : nil
      }
      let way =
        copy.map { name in
          "use that, or go back to what was listed before: move library.sqlite and its -wal away, "
            + "and rename \(name) to library.sqlite"
        } ?? "use that, or choose another folder"
      throw MediaLibraryError(
        .newerVersion, "the library \(layout.folder) was written by a later version: \(way)")
    }
    let isCurrent = try read { try migrator.hasCompletedMigrations($0) }
    let copy = isCurrent ? nil : schema.map(LibraryLayout.indexCopy)
    if let copy { try keepCopy(at: "\(layout.folder)/\(copy)") }
    try Self.wrap(layout.folder) { try migrator.migrate(database) }
    return copy
  }

  private func keepCopy(at path: String) throws(MediaLibraryError) {
    let beginning = path + ".part"
    defer { try? Folder.removeFile(beginning) }
    try layout.onDisk { () throws(SystemError) in
      try Folder.removeFile(beginning)
      // Private from the beginning. SQLite writes into a file that is empty.
      _ = try FileDescriptor(beginning, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    }
    try Self.wrap(layout.folder) { try database.vacuum(into: beginning) }
    try layout.onDisk { () throws(SystemError) in
      try FileDescriptor(beginning, O_RDWR).publish(as: path)
    }
  }

  /// Whether the index's file is still there. Without it SQLite goes on with one that nobody finds.
  var isInPlace: Bool { (try? FileStatus(at: layout.index).identity) == file }

  /// Writes the WAL into the database and closes it. Committed rows are on the disk even if this
  /// fails.
  func close() {
    try? database.close()
  }

  /// Lists the asset and deletes its draft in one transaction.
  /// - Parameter kept: What the files are made of for which the asset stands.
  func insert(_ asset: Asset, _ kept: KeptPhoto? = nil) throws(MediaLibraryError) {
    try write { database in
      try asset.insert(database)
      if let kept { try Self.insertDeferred(asset.id, kept, database) }
      try Self.deleteDraft(asset.id, database)
    }
  }

  /// Undoes ``insert(_:)``.
  /// - Parameter isMovie: Whether there was a draft.
  func takeBack(_ draft: AssetDraft, isMovie: Bool) throws(MediaLibraryError) {
    try write { database in
      try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: ["\(draft.id)"])
      try Self.deleteDeferred(draft.id, database)
      if isMovie {
        try draft.description.insertDraft(draft.id, hasEnded: draft.hasEnded, database)
      }
    }
  }

  /// The path of the asset whose file has this name.
  func path(ofFile name: String) throws(MediaLibraryError) -> String? {
    try read { database in
      try String.fetchOne(
        database, sql: "SELECT path FROM asset WHERE substr(path, -?) = ?",
        arguments: [name.utf8.count + 1, "/\(name)"])
    }
  }

  func asset(_ id: AssetID) throws(MediaLibraryError) -> Asset? {
    try read { database in
      // Compiling the statement takes ten times as long as running it.
      let statement = try database.cachedStatement(sql: "SELECT * FROM asset WHERE id = ?")
      return try Row.fetchOne(statement, arguments: ["\(id)"]).map(Asset.init)
    }
  }

  /// The ids that are those of assets.
  /// - Parameter cameras: Only of these; nil for all.
  func known(
    _ ids: [AssetID], ofCameras cameras: Set<String>?
  ) throws(MediaLibraryError) -> Set<AssetID> {
    try read { database in
      let statement = try database.cachedStatement(sql: "SELECT camera FROM asset WHERE id = ?")
      let known = try ids.filter { id in
        guard let camera = try String.fetchOne(statement, arguments: ["\(id)"]) else {
          return false
        }
        return cameras?.contains(camera) ?? true
      }
      return Set(known)
    }
  }

  /// The totals of the assets whose files exist.
  func totals() throws(MediaLibraryError) -> LibraryTotals {
    try read { database in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT count(*), coalesce(sum(byteCount), 0) FROM asset WHERE NOT isMissing"
      )
      return LibraryTotals(count: row?[0] ?? 0, byteCount: row?[1] ?? 0)
    }
  }

  /// Records which files exist.
  /// - Parameters:
  ///   - paths: The files that were found, below the library's folder.
  ///   - exists: Whether there is a file at another path that the index knows.
  /// - Returns: The paths that have disappeared and those that have returned since the last call,
  ///   and the files that the index does not know. Each list is in the order of its paths.
  func reconcile(
    with paths: Set<String>, exists: (String) -> Bool
  ) throws(MediaLibraryError) -> (missing: [String], returned: [String], unlisted: [String]) {
    try write { database in
      var (missing, returned, unlisted) = ([String](), [String](), paths)
      let rows = try Row.fetchCursor(database, sql: "SELECT path, isMissing FROM asset")
      while let row = try rows.next() {
        let (path, wasMissing): (String, Bool) = (row["path"], row["isMissing"])
        let isMissing = unlisted.remove(path) == nil && !exists(path)
        if isMissing, !wasMissing { missing.append(path) }
        if !isMissing, wasMissing { returned.append(path) }
      }
      for (changed, isMissing) in [(missing, true), (returned, false)] {
        let statement = try database.makeStatement(
          sql: "UPDATE asset SET isMissing = ? WHERE path = ?")
        for path in changed { try statement.execute(arguments: [isMissing, path]) }
      }
      return (missing.sorted(), returned.sorted(), unlisted.sorted())
    }
  }

  // MARK: Drafts of movies

  func insertDraft(
    _ id: AssetID, _ description: AssetDescription, hasEnded: Bool = false
  ) throws(MediaLibraryError) {
    try write { try description.insertDraft(id, hasEnded: hasEnded, $0) }
  }

  func deleteDraft(_ id: AssetID) throws(MediaLibraryError) {
    try write { try Self.deleteDraft(id, $0) }
  }

  /// All drafts, oldest first.
  func drafts(in layout: LibraryLayout) throws(MediaLibraryError) -> [AssetDraft] {
    let rows = try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM movieDraft ORDER BY rowid").compactMap { row in
        AssetID(row["id"] as String).flatMap { id in
          AssetDescription(row).map { (id, $0, row["hasEnded"] as Bool) }
        }
      }
    }
    return try rows.map { (id, description, hasEnded) throws(MediaLibraryError) in
      try AssetDraft(id, description, hasEnded: hasEnded, in: layout)
    }
  }

  /// Records that the end of a draft's recording was reported.
  func setEnded(_ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE movieDraft SET hasEnded = TRUE WHERE id = ?", arguments: ["\(id)"])
    }
  }

  private static func deleteDraft(_ id: AssetID, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM movieDraft WHERE id = ?", arguments: ["\(id)"])
  }

  // MARK: Internals

  func read<R>(_ body: (Database) throws -> R) throws(MediaLibraryError) -> R {
    try Self.wrap(layout.folder) { try database.read(body) }
  }

  func write<R>(_ body: (Database) throws -> R) throws(MediaLibraryError) -> R {
    defer { keepRoom() }
    do throws(MediaLibraryError) {
      return try Self.wrap(layout.folder) { try database.write(body) }
    } catch {
      // To SQLite a disk that has become read-only is one with an error.
      if error.code == .storageFailed {
        try layout.onDisk { () throws(SystemError) in try layout.requireWritable() }
      }
      throw error
    }
  }

  /// Reserves disk space behind the log for one more change, and for the end of each movie that is
  /// being recorded. Another program that fills the disk cannot take it.
  ///
  /// Closing this descriptor releases no lock of SQLite's: those are on other files.
  private func keepRoom() {
    let drafts = try? read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM movieDraft") }
    guard let drafts, let file = try? FileDescriptor(layout.log, O_WRONLY),
      let byteCount = try? file.status().byteCount
    else { return }
    // Without the space, the next change on a full disk fails and says so.
    try? file.reserve(Int64(byteCount) + Self.roomPerChange * (drafts + 1))
  }

  private static func wrap<R>(
    _ folder: String,
    _ body: () throws -> R
  ) throws(MediaLibraryError) -> R {
    do {
      return try body()
    } catch {
      throw MediaLibraryError(index: error, in: folder)
    }
  }
}

extension Database {
  /// Whether somebody has made tables in it.
  fileprivate func hasTables() throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT * FROM sqlite_master WHERE name NOT LIKE 'sqlite_%')")
      ?? false
  }
}

extension MediaLibraryError {
  fileprivate static func foreignIndex(_ folder: String) -> MediaLibraryError {
    MediaLibraryError(
      .indexDamaged,
      "\(folder)/library.sqlite is another program's database: move it away, with its -wal")
  }
}
