import Digest
import FoundationEssentials
import GRDB
import OperatingSystem
import Words

extension Asset {
  /// - Throws: A `DatabaseError` (corrupt) for a row that this library did not write.
  init(_ row: Row) throws {
    guard let id = AssetID(row["id"] as String),
      var description = AssetDescription(row),
      let sha256 = [UInt8](hexadecimal: row["sha256"]).flatMap(SHA256Digest.init)
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the row of \(row["path"] as String) makes no sense"
      )
    }
    description.layout = RawLayout(row)
    description.replaces = (row["replaces"] as String?).flatMap { AssetID($0) }
    description.part = (row["part"] as String?).flatMap(AssetPart.init)
    self.init(
      id: id,
      description: description,
      relativePath: row["path"],
      byteCount: row["byteCount"],
      sha256: sha256,
      duration: (row["duration"] as Int64?).map { .nanoseconds($0) },
      frameCount: row["frameCount"],
      isRecovered: row["isRecovered"],
      deferral: (row["deferral"] as String?).flatMap(Deferral.init),
      isProtected: row["isProtected"],
      isMissing: row["isMissing"],
      isChanged: row["isChanged"],
      modifiedAt: row["modifiedAt"]
    )
  }

  func insert(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO asset (id, camera, mediaType, path, byteCount, sha256, width, height, createdAt,
          requestID, duration, frameCount, isRecovered, modifiedAt, pixelFormat, bytesPerLine, colorRange,
          colorMatrix, replaces, deferral, isProtected, part, name, tags)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        "\(id)", description.camera, description.mediaType.rawValue, relativePath, byteCount,
        "\(sha256)", description.width, description.height, description.createdAt,
        description.requestID?.hexadecimal, duration?.wholeNanoseconds, frameCount, isRecovered,
        modifiedAt, description.layout?.pixelFormat, description.layout?.bytesPerLine,
        description.layout?.range?.rawValue, description.layout?.matrix?.rawValue,
        description.replaces.map { "\($0)" }, deferral?.rawValue, isProtected,
        description.part?.rawValue, description.labels.name, description.labels.tagList,
      ]
    )
  }
}

extension AssetDescription {
  func insertDraft(_ id: AssetID, hasEnded: Bool, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO movieDraft (id, camera, mediaType, width, height, createdAt, requestID, hasEnded, name,
          tags)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        "\(id)", camera, mediaType.rawValue, width, height, createdAt, requestID?.hexadecimal,
        hasEnded, labels.name, labels.tagList,
      ]
    )
  }

  /// Nil for a row that this library did not write.
  init?(_ row: Row) {
    guard let mediaType = MediaType(rawValue: row["mediaType"]) else { return nil }
    self.init(
      camera: row["camera"],
      mediaType: mediaType,
      width: row["width"],
      height: row["height"],
      createdAt: row["createdAt"],
      requestID: row.requestID,
      labels: AssetLabels(row)
    )
  }
}

extension AssetLabels {
  fileprivate init(_ row: Row) {
    let tags = try? JSONDecoder().decode([String].self, from: Data((row["tags"] as String).utf8))
    self.init(name: row["name"], tags: tags ?? [])
  }

  /// The tags as the index has them: a list in JSON, which SQLite reads too.
  var tagList: String {
    guard !tags.isEmpty, let list = try? JSONEncoder().encode(tags) else { return "[]" }
    return String(decoding: list, as: UTF8.self)
  }
}

extension Row {
  var requestID: [UInt8]? {
    (self["requestID"] as String?).flatMap([UInt8].init(hexadecimal:))
  }
}

extension RawLayout {
  /// Nil for an asset whose file has a format of its own.
  fileprivate init?(_ row: Row) {
    guard let pixelFormat = row["pixelFormat"] as String? else { return nil }
    self.init(
      pixelFormat: pixelFormat,
      bytesPerLine: row["bytesPerLine"] ?? 0,
      range: (row["colorRange"] as String?).flatMap(Range.init),
      matrix: (row["colorMatrix"] as String?).flatMap(Matrix.init)
    )
  }
}
