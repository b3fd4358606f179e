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
    let statement = Self.statement(query, after: cursor, limit: limit)
    return try read { database in
      let rows = try Row.fetchAll(
        database, sql: statement.sql, arguments: statement.arguments)
      let last = rows.prefix(limit).last.map {
        AssetCursor(createdAt: $0["createdAt"], row: $0["rowid"])
      }
      return (try rows.prefix(limit).map(Asset.init), rows.count > limit ? last : nil)
    }
  }

  /// The statement of a list. It asks for one row more than the limit, which shows whether there
  /// are more.
  static func statement(
    _ query: AssetQuery,
    after cursor: AssetCursor?,
    limit: Int
  ) -> (sql: String, arguments: StatementArguments) {
    var (conditions, arguments) = (["TRUE"], StatementArguments())
    func require(_ condition: String, _ values: (any DatabaseValueConvertible)...) {
      conditions.append(condition)
      arguments += StatementArguments(values)
    }
    if let cameras = query.cameras {
      let marks = cameras.map { _ in "?" }.joined(separator: ", ")
      conditions.append("camera IN (\(marks))")
      arguments += StatementArguments(cameras.sorted())
    }
    if let id = query.idPrefix?.hexadecimal {
      // Digits end with f, so that g comes after every id that begins with the prefix.
      require("id >= ? AND id < ?", id, id + "g")
    }
    if let id = query.requestID?.hexadecimal { require("requestID = ?", id) }
    if let since = query.since { require("createdAt >= ?", since) }
    if let until = query.until { require("createdAt < ?", until) }
    if let kind = query.kind { require("substr(mediaType, 1, 5) = ?", kind.rawValue) }
    if let deferral = query.deferral { require("deferral = ?", deferral.rawValue) }
    if let proxy = query.replaces { require("replaces = ?", "\(proxy)") }
    if let isProtected = query.isProtected {
      conditions.append(isProtected ? "isProtected" : "NOT isProtected")
    }
    if let cursor {
      require("createdAt <= ?", cursor.createdAt)
      require("(createdAt < ? OR rowid < ?)", cursor.createdAt, cursor.row)
    }
    arguments += [limit + 1]
    // An id selects few assets. The plus keeps SQLite from reading all assets by their time
    // instead.
    let time = query.idPrefix == nil && query.requestID == nil ? "createdAt" : "+createdAt"
    let sql = """
      SELECT rowid, * FROM asset WHERE \(conditions.joined(separator: " AND "))
      ORDER BY \(time) DESC, rowid DESC LIMIT ?
      """
    return (sql, arguments)
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
