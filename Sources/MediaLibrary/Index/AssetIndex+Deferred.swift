import FoundationEssentials
import GRDB

/// A photo whose files are still to be made, or of which nobody was told yet.
package struct DeferredEntry: Hashable, Sendable {
  /// The proxy.
  package let id: AssetID
  package let camera: String
  /// The bytes that are kept for it.
  package let byteCount: Int
  /// How often its files were begun.
  package let attempts: Int
  /// What is to be told of its end; nil before.
  package let event: [UInt8]?
}

extension AssetIndex {
  /// Oldest first.
  func deferredPhotos(_ id: AssetID? = nil) throws(MediaLibraryError) -> [DeferredEntry] {
    let condition = id.map { "WHERE deferredPhoto.id = '\($0)'" } ?? ""
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT deferredPhoto.*, asset.camera FROM deferredPhoto
          JOIN asset ON asset.id = deferredPhoto.id \(condition) ORDER BY deferredPhoto.rowid
          """
      ).compactMap { row in
        AssetID(row["id"] as String).map { id in
          DeferredEntry(
            id: id, camera: row["camera"], byteCount: row["byteCount"], attempts: row["attempts"],
            event: (row["event"] as Data?).map(Array.init))
        }
      }
    }
  }

  func countAttempt(_ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE deferredPhoto SET attempts = attempts + 1 WHERE id = ?", arguments: ["\(id)"])
    }
  }

  func forgetAttempts(_ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE deferredPhoto SET attempts = 0 WHERE id = ?", arguments: ["\(id)"])
    }
  }

  /// Notes what has become of a proxy's files, and what is to be told of it.
  func end(_ id: AssetID, _ deferral: Deferral, event: [UInt8]) throws(MediaLibraryError) {
    try write { database in
      try database.execute(
        sql: "UPDATE asset SET deferral = ? WHERE id = ?", arguments: [deferral.rawValue, "\(id)"])
      try database.execute(
        sql: "UPDATE deferredPhoto SET event = ? WHERE id = ?",
        arguments: [Data(event), "\(id)"])
    }
  }

  func deleteDeferred(_ id: AssetID) throws(MediaLibraryError) {
    try write { try Self.deleteDeferred(id, $0) }
  }

  static func deleteDeferred(_ id: AssetID, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM deferredPhoto WHERE id = ?", arguments: ["\(id)"])
  }
}
