import GRDB

extension AssetIndex {
  /// What each camera's assets take together. The index keeps the sums, so this costs the same for
  /// any number of assets.
  func usage() throws(MediaLibraryError) -> [String: LibraryTotals] {
    try read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT camera, count, byteCount FROM usage")
      return Dictionary(
        rows.map { ($0["camera"], LibraryTotals(count: $0["count"], byteCount: $0["byteCount"])) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// The oldest assets that may be removed: those that are not protected, and whose final files are
  /// not still to be made; unless they are too old, not the newest ones of their cameras.
  /// - Parameters:
  ///   - used: Those that are in use, which are left out.
  ///   - limit: How many at most.
  func removable(
    _ excess: LibraryQuota.Excess, except used: Set<AssetID>, limit: Int
  ) throws(MediaLibraryError) -> [Asset] {
    var conditions = ["NOT isProtected", "(deferral IS NULL OR deferral <> 'pending')"]
    var arguments = StatementArguments()
    if let camera = excess.camera {
      conditions.append("camera = ?")
      arguments += [camera]
    }
    if let before = excess.before {
      conditions.append("createdAt < ?")
      arguments += [before]
    } else {
      // What somebody has just asked for is there until the next one comes.
      conditions.append(
        "createdAt < (SELECT max(newest.createdAt) FROM asset AS newest WHERE newest.camera = asset.camera)"
      )
    }
    return try read { database in
      let assets = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM asset WHERE \(conditions.joined(separator: " AND "))
          ORDER BY createdAt LIMIT \(limit + used.count)
          """, arguments: arguments
      ).map(Asset.init)
      return Array(assets.filter { !used.contains($0.id) }.prefix(limit))
    }
  }
}
