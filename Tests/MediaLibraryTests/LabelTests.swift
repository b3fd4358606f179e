import Foundation
import GRDB
import TestSupport
import Testing
import Words

@testable import MediaLibrary

/// Names and tags.
@Suite struct LabelTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let labels = AssetLabels(
    name: "At the \"gate\", nº 3", tags: ["früh", "a 'b' [1]"])

  private func photo(_ labels: AssetLabels, _ camera: String = "front", at time: Int64 = 1000)
    -> AssetDescription
  {
    var description = AssetDescription.photo(camera, at: time)
    description.labels = labels
    return description
  }

  private func selected(
    _ library: MediaLibrary, _ edit: (inout AssetQuery) -> Void
  ) async throws -> [AssetID] {
    var query = AssetQuery()
    edit(&query)
    return try await library.assets(query, limit: 100).assets.map(\.id)
  }

  @Test func `A photo and a movie keep their names and tags`() async throws {
    let (photo, movie) = try await folder.withLibrary { library, _ -> (Asset, AssetDraft) in
      var description = AssetDescription.movie()
      description.labels = Self.labels
      return (
        try await library.storePhoto([1], self.photo(Self.labels)),
        try await library.beginMovie(description)
      )
    }
    #expect(photo.description.labels == Self.labels)
    try folder.write("movie", to: ".incoming/\(movie.name)")
    // A movie that was cut off has them too.
    try await folder.withLibrary { library, _ in
      #expect(try await library.asset(photo.id) == photo)
      let draft = try #require(try await library.unfinishedMovies().first)
      let saved = try await library.finishMovie(draft, duration: .seconds(1), frameCount: 1)
      #expect(saved.description.labels == Self.labels)
      #expect(try await library.asset(movie.id) == saved)
    }
  }

  @Test func `Assets are found by their name and by all of several tags, newest first`()
    async throws
  {
    try await folder.withLibrary { library, _ in
      var ids: [AssetID] = []
      let tags = [["a"], ["a", "b"], [], ["b", "a", "c"], ["ab"]]
      for (index, tags) in tags.enumerated() {
        let labels = AssetLabels(name: index < 2 ? "x" : "", tags: tags)
        // The second and the third are of one moment.
        let description = photo(
          labels, index == 3 ? "back" : "front", at: Int64(1000 + index - index / 2))
        ids.append(try await library.storePhoto([1], description).id)
      }
      #expect(try await selected(library) { $0.tags = ["a"] } == [ids[3], ids[1], ids[0]])
      #expect(try await selected(library) { $0.tags = ["a", "b"] } == [ids[3], ids[1]])
      #expect(try await selected(library) { $0.tags = ["a", "none"] } == [])
      #expect(try await selected(library) { ($0.tags, $0.cameras) = (["a"], ["back"]) } == [ids[3]])
      #expect(try await selected(library) { ($0.tags, $0.kind) = (["a"], .movie) } == [])
      #expect(try await selected(library) { ($0.tags, $0.since) = (["a"], 1002) } == [ids[3]])
      #expect(try await selected(library) { ($0.tags, $0.until) = (["a"], 1001) } == [ids[0]])
      #expect(try await selected(library) { $0.name = "x" } == [ids[1], ids[0]])
      #expect(try await selected(library) { ($0.name, $0.tags) = ("x", ["b"]) } == [ids[1]])
      #expect(
        try await selected(library) { ($0.idPrefix, $0.tags) = (ids[1].bytes, ["a"]) } == [ids[1]])
      #expect(
        try await selected(library) { ($0.idPrefix, $0.tags) = (ids[2].bytes, ["a"]) } == [])
      #expect(try await selected(library) { $0.name = "X" } == [])
    }
  }

  @Test func `Pages of a tag have every asset once`() async throws {
    try await folder.withLibrary { library, _ in
      var stored: [AssetID] = []
      for index in 0..<10 {
        let labels = AssetLabels(tags: index % 3 == 0 ? ["b"] : ["a", "b"])
        let description = photo(labels, at: Int64(1000 + index / 4))
        let asset = try await library.storePhoto([1], description)
        if index % 3 != 0 { stored.append(asset.id) }
      }
      var query = AssetQuery()
      query.tags = ["b", "a"]
      var (listed, cursor) = ([AssetID](), AssetCursor?.none)
      repeat {
        let page = try await library.assets(query, after: cursor, limit: 2)
        listed += page.assets.map(\.id)
        cursor = page.next
      } while cursor != nil
      #expect(listed == stored.reversed())
    }
  }

  @Test func `Names and tags are changed, and the file stays`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1, 2], photo(Self.labels))
      let change = LabelChange(
        name: "", added: ["new", "früh"], removed: ["a 'b' [1]", "none"], mostTags: 2)
      let (changed, hasChanged) = try await library.label(asset.id, change)
      #expect(hasChanged && changed.description.labels == AssetLabels(tags: ["früh", "new"]))
      #expect(try await library.asset(asset.id) == changed)
      #expect(try await selected(library) { $0.tags = ["new"] } == [asset.id])
      #expect(try await selected(library) { $0.tags = ["a 'b' [1]"] } == [])
      #expect(try await selected(library) { $0.name = Self.labels.name } == [])
      #expect(try await library.label(asset.id, change).hasChanged == false)
      #expect(try await library.bytes(of: changed) == [1, 2])
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.label(
          asset.id, LabelChange(name: "n", added: ["third"], removed: [], mostTags: 2))
      }
      #expect(error?.code == .invalidArgument && error?.message.contains("3 tags") == true)
      let long = await #expect(throws: MediaLibraryError.self) {
        try await library.label(
          asset.id,
          LabelChange(name: "1234567", added: [], removed: [], mostTags: 2, mostBytes: 14))
      }
      #expect(long?.code == .invalidArgument && long?.message.contains("15 bytes") == true)
      #expect(try await library.asset(asset.id) == changed)
      try await library.remove(asset.id)
      #expect(try await selected(library) { $0.tags = ["new"] } == [])
    }
    // Nothing is left of the tags.
    let index = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    #expect(
      try await index.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM assetTag") } == 0)
    try index.close()
  }

  @Test func `The files of a proxy get the labels that it has by then`() async throws {
    try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: [2], photo(Self.labels))
      try await library.label(
        proxy.id, LabelChange(name: "later", added: ["x"], removed: [], mostTags: 32))
      var description = photo(AssetLabels())
      (description.mediaType, description.replaces) = (.png, proxy.id)
      let file = try await library.storePhoto([UInt8]([3]), description)
      #expect(
        file.description.labels == AssetLabels(name: "later", tags: Self.labels.tags + ["x"]))
      #expect(try await selected(library) { $0.tags = ["x"] } == [file.id, proxy.id])
    }
  }

  @Test func `A library of an earlier version has assets without names and tags`() async throws {
    let asset = try await folder.withLibrary { library, _ in
      try await library.storePhoto([1], photo(AssetLabels()))
    }
    try EarlierIndex(in: folder.path).takeBack(["8"])
    try await folder.withLibrary { library, findings in
      #expect(findings == [.migrated(copy: "library-schema-7.sqlite")])
      #expect(try await library.asset(asset.id) == asset)
      let change = LabelChange(name: "n", added: ["t"], removed: [], mostTags: 32)
      try await library.label(asset.id, change)
      #expect(try await selected(library) { ($0.name, $0.tags) = ("n", ["t"]) } == [asset.id])
    }
  }

  @Test(
    arguments: [
      (["a"], nil), (["b", "a"], nil), (["a", "b"], Int64(5)),
    ] as [([String], Int64?)])
  func `SQLite finds a page of a tag in the order of time, without looking at other assets`(
    tags: [String], time: Int64?
  ) async throws {
    try await folder.withLibrary { _, _ in }
    var query = AssetQuery()
    (query.tags, query.cameras, query.kind) = (tags, ["front"], .photo)
    let cursor = time.map { AssetCursor(createdAt: $0, row: 7) }
    let plan = try await self.plan(
      AssetIndex.statement(query, by: "a", after: cursor, limit: 100))
    // The rows of one moment alone are sorted.
    #expect(plan.first?.hasPrefix("SEARCH assetTag USING PRIMARY KEY (tag=?") == true, "\(plan)")
    #expect(
      plan.filter { $0.contains(" asset ") }
        == ["SEARCH asset USING INDEX sqlite_autoindex_asset_1 (id=?)"],
      "\(plan)")
    let sorting = plan.filter { $0.contains("TEMP B-TREE") }
    #expect(sorting.allSatisfy { !$0.hasSuffix("FOR ORDER BY") } && sorting.count == 1, "\(plan)")
  }

  @Test func `SQLite finds a page of a name by an index, whatever else is asked for`() async throws
  {
    try await folder.withLibrary { _, _ in }
    var query = AssetQuery()
    (query.name, query.tags, query.cameras, query.kind) = ("n", ["a"], ["front"], .photo)
    let cursor = AssetCursor(createdAt: 5, row: 7)
    let plan = try await self.plan(
      AssetIndex.statement(query, by: nil, after: cursor, limit: 100))
    #expect(plan.first?.contains("USING INDEX assetByName") == true, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  private func plan(_ statement: (sql: String, arguments: StatementArguments)) async throws
    -> [String]
  {
    let database = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    let plan = try await database.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(statement.sql)", arguments: statement.arguments
      ).map { $0["detail"] as String }
    }
    try database.close()
    return plan
  }
}
