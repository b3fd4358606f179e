import GRDB

extension AssetIndex {
  /// Stores what a look at the files has shown. Assets that were deleted meanwhile stay deleted.
  func update(filesOf assets: [Asset]) throws(MediaLibraryError) {
    try write { database in
      let statement = try database.makeStatement(
        sql: "UPDATE asset SET isMissing = ?, isChanged = ?, modifiedAt = ? WHERE id = ?")
      for asset in assets {
        try statement.execute(
          arguments: [asset.isMissing, asset.isChanged, asset.modifiedAt, "\(asset.id)"])
      }
    }
  }

  /// Stores that the bytes are others, although the file has the known size and time of change.
  func setChanged(_ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(sql: "UPDATE asset SET isChanged = TRUE WHERE id = ?", arguments: ["\(id)"])
    }
  }

  func setProtected(_ isProtected: Bool, _ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE asset SET isProtected = ? WHERE id = ?", arguments: [isProtected, "\(id)"])
    }
  }

  /// The file of a missing asset has another path.
  func setPath(
    _ path: String, modifiedAt: Int64, _ id: AssetID
  ) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: """
          UPDATE asset SET path = ?, modifiedAt = ?, isMissing = FALSE, isChanged = FALSE WHERE id = ?
          """,
        arguments: [path, modifiedAt, "\(id)"])
    }
  }

  func setLabels(_ labels: AssetLabels, _ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE asset SET name = ?, tags = ? WHERE id = ?",
        arguments: [labels.name, labels.tagList, "\(id)"])
    }
  }

  // MARK: Deletion

  /// Announces that the asset's file is about to be deleted, or is not deleted after all.
  func setBeingDeleted(_ isBeingDeleted: Bool, _ id: AssetID) throws(MediaLibraryError) {
    try write {
      try $0.execute(
        sql: "UPDATE asset SET isBeingDeleted = ? WHERE id = ?",
        arguments: [isBeingDeleted, "\(id)"])
    }
  }

  /// The assets whose deletion was cut off.
  func deletionsToFinish() throws(MediaLibraryError) -> [Asset] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM asset WHERE isBeingDeleted").map(Asset.init)
    }
  }

  func delete(_ id: AssetID) throws(MediaLibraryError) {
    try write { database in
      try database.execute(sql: "DELETE FROM asset WHERE id = ?", arguments: ["\(id)"])
      try Self.deleteDeferred(id, database)
    }
  }
}
