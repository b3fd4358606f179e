import Digest
import FoundationEssentials
import GRDB

/// A photo whose files are still to be made, or of which nobody was told yet.
package struct DeferredEntry: Hashable, Sendable {
  /// The proxy.
  package let id: AssetID
  package let camera: String
  /// That of the request for the photo.
  package let requestID: [UInt8]?
  /// The bytes that are kept for it.
  package let byteCount: Int
  let sha256: String?
  /// How often its files were begun.
  package let attempts: Int
  /// What is to be told of its end; nil before.
  package let event: [UInt8]?
}

/// What is kept for a proxy.
struct KeptPhoto {
  let byteCount: Int
  let sha256: SHA256Digest?
}

extension AssetIndex {
  /// More than a photo ever needs.
  private static let mostKept = 1 << 32

  /// Oldest first.
  func deferredPhotos(_ id: AssetID? = nil) throws(MediaLibraryError) -> [DeferredEntry] {
    let condition = id == nil ? "" : "WHERE deferredPhoto.id = ?"
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT deferredPhoto.*, asset.camera, asset.requestID, asset.deferral FROM deferredPhoto
          JOIN asset ON asset.id = deferredPhoto.id \(condition) ORDER BY deferredPhoto.rowid
          """,
        arguments: StatementArguments(id.map { ["\($0)"] } ?? [])
      ).compactMap { row in
        AssetID(row["id"] as String).map { id in
          // Numbers that make no sense must not end the node, nor is an end told that is none.
          let hasEnded = row["deferral"] != Deferral.pending.rawValue
          return DeferredEntry(
            id: id, camera: row["camera"], requestID: row.requestID,
            byteCount: min(max(0, row["byteCount"]), Self.mostKept), sha256: row["sha256"],
            attempts: max(0, row["attempts"]),
            event: hasEnded ? (row["event"] as Data?).map(Array.init) : nil)
        }
      }
    }
  }

  /// - Throws: `noSuchAsset` if there is no such photo.
  func countAttempt(_ id: AssetID) throws(MediaLibraryError) {
    let isThere = try write { database in
      try database.execute(
        sql: "UPDATE deferredPhoto SET attempts = attempts + 1 WHERE id = ?", arguments: ["\(id)"])
      return database.changesCount > 0
    }
    guard isThere else { throw .noSuchAsset(id) }
  }

  func forgetAttempts(_ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE deferredPhoto SET attempts = 0 WHERE id = ?", arguments: ["\(id)"])
    }
  }

  /// Notes what has become of a proxy's files, and what is to be told of it.
  /// - Throws: `noSuchAsset` if the proxy was deleted.
  func end(_ id: AssetID, _ deferral: Deferral, event: [UInt8]) throws(MediaLibraryError) {
    let isThere = try write { database in
      try database.execute(
        sql: "UPDATE asset SET deferral = ? WHERE id = ?", arguments: [deferral.rawValue, "\(id)"])
      let isThere = database.changesCount > 0
      try database.execute(
        sql: "UPDATE deferredPhoto SET event = ? WHERE id = ?",
        arguments: [Data(event), "\(id)"])
      return isThere
    }
    guard isThere else { throw .noSuchAsset(id) }
  }

  /// The proxies whose files are still to be made although no row says so: it was lost.
  func orphanedProxies() throws(MediaLibraryError) -> [AssetID] {
    try read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT id FROM asset WHERE deferral = ? AND id NOT IN (SELECT id FROM deferredPhoto)
          """,
        arguments: [Deferral.pending.rawValue]
      ).compactMap { AssetID($0) }
    }
  }

  func insertDeferred(_ id: AssetID, _ kept: KeptPhoto) throws(MediaLibraryError) {
    try write { try Self.insertDeferred(id, kept, $0) }
  }

  static func insertDeferred(_ id: AssetID, _ kept: KeptPhoto, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO deferredPhoto (id, byteCount, sha256) VALUES (?, ?, ?)",
      arguments: ["\(id)", kept.byteCount, kept.sha256.map { "\($0)" }])
  }

  func deleteDeferred(_ id: AssetID) throws(MediaLibraryError) {
    try write { try Self.deleteDeferred(id, $0) }
  }

  static func deleteDeferred(_ id: AssetID, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM deferredPhoto WHERE id = ?", arguments: ["\(id)"])
  }
}
