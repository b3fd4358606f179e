import Foundation
import GRDB
import MediaLibrary
import OperatingSystem
import TestSupport
import Testing

/// Files that someone removed or changed by hand.
@Suite struct ConditionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A file that is removed is missing in the next list, and intact when it is back`()
    async throws
  {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1, 2], .photo())
      let (path, away) = ("\(folder.path)/\(asset.relativePath)", "\(folder.path)/away")
      #expect(try await library.conditions == [.intact])
      try FileManager.default.moveItem(atPath: path, toPath: away)
      let page = try await library.assets(limit: 9)
      #expect(page.assets.map(\.condition) == [.missing])
      #expect(page.changes.map(\.id) == [asset.id])
      #expect(try await library.assets(limit: 9).changes.isEmpty, "It is reported once")
      #expect(try await library.totals().count == 0)
      try FileManager.default.moveItem(atPath: away, toPath: path)
      let later = try await library.assets(limit: 9)
      #expect(later.changes.map(\.condition) == [.intact])
      #expect(later.assets == [asset])
    }
  }

  @Test(arguments: ["x", "xy", "xyz"])
  func `A file that is changed is reported, whether its size is the same or not`(
    text: String
  ) async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([UInt8]("ab".utf8), .photo())
      try folder.write(text, to: asset.relativePath)
      #expect(try await library.conditions == [.changed])
      #expect(try await library.assets(limit: 9).changes.isEmpty, "It is reported once")
      #expect(try await library.checkedAsset(asset.id)?.condition == .changed)
      try folder.write("ab", to: asset.relativePath)
      #expect(try await library.conditions == [.intact])
    }
  }

  @Test func `A file that was copied with the same bytes and another time is intact`()
    async throws
  {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([UInt8]("ab".utf8), .photo())
      let path = "\(folder.path)/\(asset.relativePath)"
      for time in [1000.0, 2000] {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
        let page = try await library.assets(limit: 9)
        #expect(page.assets.map(\.condition) == [.intact])
        #expect(page.changes.isEmpty)
      }
    }
  }

  @Test func `A list digests no more bytes than it may`() async throws {
    try await folder.withLibrary { library, _ in
      for _ in 0..<3 {
        let asset = try await library.storePhoto([UInt8]("abcd".utf8), .photo())
        try folder.write("abxd", to: asset.relativePath)
      }
      var seen: [Int] = []
      for bytes in [7, 8, 0, 4] {
        let page = try await library.assets(
          AssetQuery(), after: nil, limit: 9, digesting: bytes)
        #expect(page.digestedByteCount == page.changes.count * 4)
        seen.append(page.assets.count { $0.condition == .changed })
      }
      #expect(seen == [1, 3, 3, 3])
    }
  }

  @Test(arguments: [false, true])
  func `Something else in a file's place is a change`(isLink: Bool) async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      let path = "\(folder.path)/\(asset.relativePath)"
      try FileManager.default.removeItem(atPath: path)
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "/etc/hostname")
      } else {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      #expect(try await library.conditions == [.changed])
    }
  }

  @Test func `The whole file's digest shows a change that keeps its size and its time`()
    async throws
  {
    try await folder.withLibrary { (library, _) async throws in
      let asset = try await library.storePhoto([UInt8]("abcd".utf8), .photo())
      let path = "\(folder.path)/\(asset.relativePath)"
      let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      try output(of: "cp", ["-p", path, "\(folder.path)/times"])
      try folder.write("abxd", to: asset.relativePath)
      try output(of: "touch", ["-r", "\(folder.path)/times", path])
      try #require(time != nil)
      #expect(try await library.conditions == [.intact], "A look cannot show it")
      let reader = try await library.open(asset)
      _ = try await library.read(0..<2, from: reader)
      _ = try await library.read(2..<4, from: reader)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.check(reader)
      }
      await library.close(reader)
      #expect(error?.code == .assetChanged)
      #expect(try await library.conditions == [.changed])
      let again = await #expect(throws: MediaLibraryError.self) { try await library.open(asset) }
      #expect(again?.code == .assetChanged)
    }
  }

  @Test func `A library of an earlier version is taken over`() async throws {
    let asset = try await folder.withLibrary { library, _ in
      try await library.storePhoto([1, 2], .photo())
    }
    // Later steps need the columns of this one.
    try EarlierIndex(in: folder.path).takeBack(
      ["3", "7", "8"],
      also: """
        DROP INDEX assetByKindAndTime; DROP INDEX protectedAssetByTime; DROP INDEX deletionToFinish;
        ALTER TABLE asset DROP COLUMN isProtected; ALTER TABLE asset DROP COLUMN isChanged;
        ALTER TABLE asset DROP COLUMN modifiedAt; ALTER TABLE asset DROP COLUMN isBeingDeleted;
        """)
    try await folder.withLibrary { library, findings in
      #expect(findings == [.migrated(copy: "library-schema-2.sqlite")])
      #expect(try await library.assets(limit: 9) == [asset], "A look learns the time of change")
      try folder.write("xy", to: asset.relativePath)
      #expect(try await library.conditions == [.changed])
    }
    let copy = "\(folder.path)/library-schema-2.sqlite"
    #expect(try FileStatus(at: copy).permissions == 0o600)
    let earlier = try DatabaseQueue(path: copy)
    let (paths, columns) = try await earlier.read { database in
      (
        try String.fetchAll(database, sql: "SELECT path FROM asset"),
        try database.columns(in: "asset").map(\.name)
      )
    }
    try earlier.close()
    #expect(paths == [asset.relativePath])
    #expect(!columns.contains("isProtected"), "The copy has the earlier schema")
    try await folder.withLibrary { _, findings in #expect(findings == [], "Changed only once") }
  }

  @Test func `An index that cannot be copied is not changed`() async throws {
    try await folder.withLibrary { library, _ in
      _ = try await library.storePhoto([1, 2], .photo())
    }
    try EarlierIndex(in: folder.path).takeBack(
      ["6", "7", "8"],
      also: """
        DROP INDEX assetByProxy; DROP INDEX proxyByDeferral; DROP TABLE deferredPhoto;
        ALTER TABLE asset DROP COLUMN part; ALTER TABLE asset DROP COLUMN replaces;
        ALTER TABLE asset DROP COLUMN deferral;
        """)
    let name = "\(folder.path)/library-schema-5.sqlite"
    try FileManager.default.createDirectory(
      atPath: name, withIntermediateDirectories: false)
    await #expect(throws: MediaLibraryError.self) {
      try await folder.withLibrary { _, _ in }
    }
    let index = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    let columns = try await index.read { try $0.columns(in: "asset").map(\.name) }
    try index.close()
    #expect(!columns.contains("part"))
    #expect(!FileManager.default.fileExists(atPath: name + ".part"))
  }
}

extension MediaLibrary {
  /// What a list says about the assets.
  fileprivate var conditions: [AssetCondition] {
    get async throws { try await assets(limit: 9).map(\.condition) }
  }
}
