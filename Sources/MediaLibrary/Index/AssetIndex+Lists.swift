import Digest
import GRDB
import OperatingSystem
import Words

extension AssetIndex {
  /// The assets that the query selects, newest first, and where the list goes on.
  func assets(
    _ query: AssetQuery,
    after cursor: AssetCursor?,
    limit: Int
  ) throws(MediaLibraryError) -> (assets: [Asset], next: AssetCursor?) {
    return try read { database in
      let tag = query.isSelective ? nil : try Self.rarest(of: query.tags, database)
      let statement = Self.statement(query, by: tag, after: cursor, limit: limit)
      let rows = try Row.fetchAll(
        database, sql: statement.sql, arguments: statement.arguments)
      let last = rows.prefix(limit).last.map {
        AssetCursor(createdAt: $0["createdAt"], row: $0["rowid"])
      }
      return (try rows.prefix(limit).map(Asset.init), rows.count > limit ? last : nil)
    }
  }

  /// How many assets a query selects, and how many bytes they have.
  func totals(of query: AssetQuery) throws(MediaLibraryError) -> LibraryTotals {
    try read { database in
      let tag = query.isSelective ? nil : try Self.rarest(of: query.tags, database)
      let (tables, conditions, arguments) = Self.selection(query, by: tag)
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), coalesce(sum(asset.byteCount), 0) FROM \(tables)
          WHERE \(conditions.joined(separator: " AND "))
          """, arguments: arguments)
      return LibraryTotals(count: row?[0] ?? 0, byteCount: row?[1] ?? 0)
    }
  }

  /// The assets with these bytes whose files were gone when the library last looked.
  func missing(
    sha256: SHA256Digest, byteCount: Int
  ) throws(MediaLibraryError) -> [Asset] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM asset WHERE isMissing AND sha256 = ? AND byteCount = ?",
        arguments: ["\(sha256)", byteCount]
      ).map(Asset.init)
    }
  }

  /// The tag that the fewest assets have, as far as that matters; nil of none.
  private static func rarest(of tags: [String], _ database: Database) throws -> String? {
    guard tags.count > 1 else { return tags.first }
    let statement = try database.cachedStatement(
      sql: "SELECT count(*) FROM (SELECT 1 FROM assetTag WHERE tag = ? LIMIT 1000)")
    let counts = try tags.map { try Int.fetchOne(statement, arguments: [$0]) ?? 0 }
    return zip(tags, counts).min { $0.1 < $1.1 }?.0
  }

  /// The statement of a list. It asks for one row more than the limit, which shows whether there
  /// are more.
  /// - Parameter tag: The one of the query's tags whose assets are looked through; nil for all
  ///   assets.
  static func statement(
    _ query: AssetQuery,
    by tag: String?,
    after cursor: AssetCursor?,
    limit: Int
  ) -> (sql: String, arguments: StatementArguments) {
    var (tables, conditions, arguments) = selection(query, by: tag)
    let place = place(by: tag)
    if let cursor {
      conditions += ["\(place).createdAt <= ?", "(\(place).createdAt < ? OR asset.rowid < ?)"]
      arguments += [cursor.createdAt, cursor.createdAt, cursor.row]
    }
    arguments += [limit + 1]
    // The index of names is in the order of time.
    let time = query.hasID ? "+asset.createdAt" : "\(place).createdAt"
    let sql = """
      SELECT asset.rowid, asset.* FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
      ORDER BY \(time) DESC, asset.rowid DESC LIMIT ?
      """
    return (sql, arguments)
  }

  /// The table in which a list chooses assets.
  private static func place(by tag: String?) -> String { tag == nil ? "asset" : "assetTag" }

  private static func selection(
    _ query: AssetQuery, by tag: String?
  ) -> (tables: String, conditions: [String], arguments: StatementArguments) {
    var (conditions, arguments) = (["TRUE"], StatementArguments())
    func require(_ condition: String, _ values: (any DatabaseValueConvertible)...) {
      conditions.append(condition)
      arguments += StatementArguments(values)
    }
    // What a row of a tag says too is read there. The plus keeps SQLite from reading all assets of
    // a camera, of a kind or by their time, where an id or a name selects few.
    let place = place(by: tag)
    let kind = tag == nil ? "substr(mediaType, 1, 5)" : "assetTag.kind"
    let plus = query.isSelective ? "+" : ""
    if let tag { require("assetTag.tag = ?", tag) }
    if let cameras = query.cameras {
      let marks = cameras.map { _ in "?" }.joined(separator: ", ")
      conditions.append("\(plus)\(place).camera IN (\(marks))")
      arguments += StatementArguments(cameras.sorted())
    }
    if let id = query.idPrefix?.hexadecimal {
      // Digits end with f, so that g comes after every id that begins with the prefix.
      require("asset.id >= ? AND asset.id < ?", id, id + "g")
    }
    if let id = query.requestID?.hexadecimal { require("requestID = ?", id) }
    if let name = query.name { require("name = ? AND name <> ''", name) }
    if let since = query.since { require("\(place).createdAt >= ?", since) }
    if let until = query.until { require("\(place).createdAt < ?", until) }
    if let wanted = query.kind { require("\(plus)\(kind) = ?", wanted.rawValue) }
    if let deferral = query.deferral { require("deferral = ?", deferral.rawValue) }
    if let proxy = query.replaces { require("replaces = ?", "\(proxy)") }
    if let isProtected = query.isProtected {
      conditions.append(isProtected ? "isProtected" : "NOT isProtected")
    }
    for other in query.tags where other != tag {
      require(
        "EXISTS (SELECT 1 FROM assetTag AS other WHERE other.tag = ? "
          + "AND other.createdAt = \(place).createdAt AND other.id = \(place).id)", other)
    }
    // A cross join reads the tag's rows first.
    let tables = tag == nil ? "asset" : "assetTag CROSS JOIN asset ON asset.id = assetTag.id"
    return (tables, conditions, arguments)
  }

  /// Whether there is an asset of this camera.
  func hasAssets(ofCamera camera: String) throws(MediaLibraryError) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM asset WHERE camera = ?)", arguments: [camera])
        ?? false
    }
  }
}

extension AssetQuery {
  /// Whether it selects few assets by an id, or by an id or a name.
  fileprivate var hasID: Bool { idPrefix != nil || requestID != nil }
  fileprivate var isSelective: Bool { hasID || name != nil }
}
