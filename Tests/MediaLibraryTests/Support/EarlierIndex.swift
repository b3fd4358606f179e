import GRDB

/// The index of a library as an earlier version of the program has left it.
struct EarlierIndex {
  /// What takes back what these steps of the schema have added, the latest first.
  private static let steps = [
    (
      "8",
      """
      DROP TRIGGER taggedAssetAdded; DROP TRIGGER taggedAssetRemoved; DROP TRIGGER assetTagged;
      DROP TABLE assetTag; DROP INDEX assetByName; DROP INDEX missingAssetByDigest;
      ALTER TABLE asset DROP COLUMN name; ALTER TABLE asset DROP COLUMN tags;
      ALTER TABLE movieDraft DROP COLUMN name; ALTER TABLE movieDraft DROP COLUMN tags;
      """
    ),
    (
      "7",
      """
      DROP TRIGGER assetAdded; DROP TRIGGER assetRemoved; DROP TABLE usage;
      DROP INDEX removableAssetByTime; DROP INDEX removableAssetByCameraAndTime;
      """
    ),
  ]

  private let path: String

  /// - Parameter folder: The library's. It is not open.
  init(in folder: String) {
    path = "\(folder)/library.sqlite"
  }

  /// - Parameters:
  ///   - identifiers: Of the steps, with all later ones.
  ///   - sql: What takes back earlier steps, which are named too.
  func takeBack(_ identifiers: [String], also sql: String = "") throws {
    let index = try DatabaseQueue(path: path)
    try index.write { database in
      for (step, statements) in Self.steps where identifiers.contains(step) {
        try database.execute(sql: statements)
      }
      try database.execute(sql: sql)
      for identifier in identifiers {
        try database.execute(
          sql: "DELETE FROM grdb_migrations WHERE identifier = ?", arguments: [identifier])
      }
    }
    try index.close()
  }
}
