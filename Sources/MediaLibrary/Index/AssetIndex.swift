import Digest
import GRDB
import OperatingSystem

/// The SQLite index of a library, with a row for each asset and each movie that is being recorded.
/// Only the library's thread uses it.
///
/// It uses WAL mode with full synchronization, so that committed rows survive a power cut.
struct AssetIndex {
  private let database: DatabaseQueue
  private let folder: String

  /// Opens the index, or creates an empty one, and migrates it to the current schema.
  init(_ layout: LibraryLayout) throws(MediaLibraryError) {
    folder = layout.folder
    database = try Self.wrap(folder) {
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.busyMode = .timeout(2)
      let database = try DatabaseQueue(path: layout.index, configuration: configuration)
      // Not in `prepareDatabase`, because setting WAL mode comes later and resets this to NORMAL.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      return database
    }
    let migrator = DatabaseMigrator.assets
    guard try !read({ try migrator.hasBeenSuperseded($0) }) else {
      throw MediaLibraryError(
        .newerVersion,
        "the library \(folder) was written by a later version: use that, or choose another folder"
      )
    }
    let database = database
    try Self.wrap(folder) { try migrator.migrate(database) }
  }

  /// Writes the WAL into the database and closes it. Committed rows are on the disk even if this
  /// fails.
  func close() {
    try? database.close()
  }

  /// Lists the asset and deletes its draft in one transaction.
  func insert(_ asset: Asset) throws(MediaLibraryError) {
    try write { database in
      try asset.insert(database)
      try Self.deleteDraft(asset.id, database)
    }
  }

  func asset(_ id: AssetID) throws(MediaLibraryError) -> Asset? {
    try read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM asset WHERE id = ?", arguments: ["\(id)"])
        .map(Asset.init)
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
  /// - Parameter paths: All files, below the library's folder.
  /// - Returns: The paths that have disappeared and those that have returned since the last call,
  ///   and the files that the index does not know. Each list is in the order of its paths.
  func reconcile(
    with paths: Set<String>
  ) throws(MediaLibraryError) -> (missing: [String], returned: [String], unlisted: [String]) {
    try write { database in
      var (missing, returned, unlisted) = ([String](), [String](), paths)
      let rows = try Row.fetchCursor(database, sql: "SELECT path, isMissing FROM asset")
      while let row = try rows.next() {
        let (path, wasMissing): (String, Bool) = (row["path"], row["isMissing"])
        let isMissing = unlisted.remove(path) == nil
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

  func insertDraft(_ id: AssetID, _ description: AssetDescription) throws(MediaLibraryError) {
    try write { try description.insertDraft(id, $0) }
  }

  func deleteDraft(_ id: AssetID) throws(MediaLibraryError) {
    try write { try Self.deleteDraft(id, $0) }
  }

  /// All drafts, oldest first.
  func drafts(in layout: LibraryLayout) throws(MediaLibraryError) -> [AssetDraft] {
    let rows = try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM movieDraft ORDER BY rowid").compactMap { row in
        AssetID(row["id"] as String).flatMap { id in AssetDescription(row).map { (id, $0) } }
      }
    }
    return try rows.map { (id, description) throws(MediaLibraryError) in
      try AssetDraft(id, description, in: layout)
    }
  }

  private static func deleteDraft(_ id: AssetID, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM movieDraft WHERE id = ?", arguments: ["\(id)"])
  }

  // MARK: Internals

  func read<R>(_ body: (Database) throws -> R) throws(MediaLibraryError) -> R {
    try Self.wrap(folder) { try database.read(body) }
  }

  func write<R>(_ body: (Database) throws -> R) throws(MediaLibraryError) -> R {
    try Self.wrap(folder) { try database.write(body) }
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
