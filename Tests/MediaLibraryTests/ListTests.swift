import GRDB
import TestSupport
import Testing
import Words

@testable import MediaLibrary

@Suite struct ListTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `Pages have every asset once, also while assets are added and deleted`() async throws {
    try await folder.withLibrary { library, _ in
      var stored: [Asset] = []
      // Several photos of one moment, so that the moment alone does not say where a page ends.
      for index in 0..<10 {
        stored.append(try await library.storePhoto([1], .photo(at: Int64(1000 + index / 4))))
      }
      var (listed, cursor, pages) = ([Asset](), AssetCursor?.none, 0)
      repeat {
        let page = try await library.assets(after: cursor, limit: 3)
        listed += page.assets
        cursor = page.next.flatMap { AssetCursor(bytes: $0.bytes) }
        #expect(cursor == page.next)
        pages += 1
        _ = try await library.storePhoto([2], .photo(at: Int64(2000 + pages)))
        if let last = page.assets.last { try await library.remove(last.id) }
      } while cursor != nil
      #expect(listed.map(\.id) == stored.reversed().map(\.id))
      #expect(pages == 4)
    }
  }

  @Test func `The last page has no next one, also if it is full`() async throws {
    try await folder.withLibrary { library, _ in
      for _ in 0..<2 { _ = try await library.storePhoto([1], .photo()) }
      #expect(try await library.assets(limit: 1).next != nil)
      #expect(try await library.assets(limit: 2).next == nil)
      #expect(try await library.assets(limit: 3).next == nil)
    }
  }

  @Test func `Assets are selected by time, kind, protection and the beginning of the id`()
    async throws
  {
    try await folder.withLibrary { library, _ in
      let old = try await library.storePhoto([1], .photo("left", at: 1000))
      let new = try await library.storePhoto([1], .photo("right", at: 3000))
      let draft = try await library.beginMovie(.movie())
      try folder.write("movie", to: ".incoming/\(draft.name)")
      let movie = try await library.finishMovie(draft, duration: .seconds(1), frameCount: 1)
      let protected = try await library.protect(old.id, true)
      func selected(_ edit: (inout AssetQuery) -> Void) async throws -> [AssetID] {
        var query = AssetQuery()
        edit(&query)
        return try await library.assets(query, limit: 9).assets.map(\.id)
      }
      #expect(try await selected { $0.since = 1001 } == [movie.id, new.id])
      #expect(try await selected { $0.until = 3000 } == [old.id])
      #expect(try await selected { ($0.since, $0.until) = (1000, 3001) } == [new.id, old.id])
      #expect(try await selected { $0.kind = .photo } == [new.id, old.id])
      #expect(try await selected { $0.kind = .movie } == [movie.id])
      #expect(try await selected { $0.isProtected = true } == [protected.asset.id])
      #expect(try await selected { $0.isProtected = false } == [movie.id, new.id])
      for length in 3...16 {
        #expect(try await selected { $0.idPrefix = Array(new.id.bytes.prefix(length)) } == [new.id])
      }
      #expect(
        try await selected {
          $0.idPrefix = Array(new.id.bytes.prefix(4))
          $0.cameras = ["left"]
        } == [])
      #expect(try await library.hasAssets(ofCamera: "left"))
      #expect(try await !library.hasAssets(ofCamera: "none"))
    }
  }

  @Test(arguments: [
    ("", query { _ in }), ("assetByTime", query { ($0.since, $0.until) = (1, 2) }),
    ("assetByCameraAndTime", query { $0.cameras = ["left"] }),
    ("assetByCameraAndTime", query { ($0.cameras, $0.since) = (["left"], 1) }),
    ("assetByKindAndTime", query { $0.kind = .movie }),
    ("assetByRequest", query { $0.requestID = [1] }),
    ("sqlite_autoindex_asset_1", query { $0.idPrefix = [1] }),
    ("protectedAssetByTime", query { $0.isProtected = true }),
  ])
  func `SQLite finds a page by an index instead of reading and sorting all assets`(
    index: String, query: AssetQuery
  ) async throws {
    try await folder.withLibrary { _, _ in }
    let isPage = query.idPrefix == nil && query.requestID == nil
    let cursor = isPage ? AssetCursor(createdAt: 5, row: 7) : nil
    let statement = AssetIndex.statement(query, by: nil, after: cursor, limit: 100)
    let database = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    let plan = try await database.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(statement.sql)", arguments: statement.arguments
      ).map { $0["detail"] as String }
    }
    #expect(plan.first?.contains("USING INDEX \(index)") == true, "\(plan)")
    if isPage { #expect(plan.count == 1, "\(plan)") }
  }

  private static func query(_ edit: (inout AssetQuery) -> Void) -> AssetQuery {
    var query = AssetQuery()
    edit(&query)
    return query
  }
}
