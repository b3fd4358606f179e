import Foundation
import GRDB
import MediaLibrary
import TestSupport
import Testing

/// A failure at any step of storing leaves nothing behind.
@Suite struct FailedStoringTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A photo that the index refuses leaves no file`() async throws {
    try await refuseRows()
    try await folder.withLibrary { (library, _) async throws in
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1, 2, 3], .photo())
      }
      #expect(error?.code == .storageFailed)
      #expect(try folder.files == [])
      #expect(try await library.totals().count == 0)
    }
  }

  @Test func `A photo that cannot get its final name is not listed`() async throws {
    try folder.write("in the way", to: "front")
    try await folder.withLibrary { (library, _) async throws in
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1, 2, 3], .photo())
      }
      #expect(error?.code == .notAFolder)
      #expect(try folder.files == ["front"])
      #expect(try await library.totals().count == 0)
    }
  }

  @Test func `A photo that cannot be written is not listed`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      try FileManager.default.removeItem(atPath: folder.path + "/.incoming")
      try folder.write("in the way", to: ".incoming")
      await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1, 2, 3], .photo())
      }
      #expect(try folder.files == [".incoming"])
      #expect(try await library.totals().count == 0)
    }
  }

  @Test func `A movie that the index refuses keeps its file, because it cannot be recorded again`()
    async throws
  {
    try await refuseRows()
    let draft = try await folder.withLibrary { (library, _) async throws in
      let draft = try await library.beginMovie(.movie())
      try Data([1]).write(to: URL(filePath: draft.path))
      await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(draft, duration: .seconds(1), frameCount: 1)
      }
      #expect(try folder.files == [".incoming/\(name(of: draft))"])
      return draft
    }
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [])
      #expect(try await library.unfinishedMovies() == [draft])
    }
  }

  @Test func `A movie that cannot get its final name stays a draft, and the file there stays`()
    async throws
  {
    let (draft, path) = try await folder.withLibrary { (library, _) async throws in
      let draft = try await library.beginMovie(.movie())
      try Data([1]).write(to: URL(filePath: draft.path))
      let path = "front/2026-05-04/\(name(of: draft))"
      try folder.write("mine", to: path)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(draft, duration: .seconds(1), frameCount: 1)
      }
      #expect(error?.code == .notAFolder)
      #expect(try await library.totals().count == 0)
      #expect(try folder.read(path) == Array("mine".utf8))
      return (draft, path)
    }
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.unlisted(count: 1, first: path)])
      #expect(try await library.unfinishedMovies() == [draft])
    }
  }

  @Test func `A movie whose end was reported keeps that mark when it cannot get its final name`()
    async throws
  {
    try await folder.withLibrary { (library, _) async throws in
      let draft = try await library.beginMovie(.movie())
      try Data([1]).write(to: URL(filePath: draft.path))
      #expect(try await library.postpone(draft))
      try folder.write("mine", to: "front/2026-05-04/\(name(of: draft))")
      let ended = try #require(try await library.unfinishedMovies().first)
      await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(ended, duration: .seconds(1), frameCount: 1)
      }
      #expect(try await library.unfinishedMovies().map(\.hasEnded) == [true])
    }
  }

  @Test(arguments: [false, true])
  func `An asset whose node was killed before its file had its name is listed at the next opening`(
    isMovie: Bool
  ) async throws {
    let asset = try await folder.withLibrary { (library, _) async throws in
      let asset: Asset
      if isMovie {
        let draft = try await library.beginMovie(.movie())
        try Data([1]).write(to: URL(filePath: draft.path))
        asset = try await library.finishMovie(draft, duration: .seconds(1), frameCount: 1)
      } else {
        asset = try await library.storePhoto([1], .photo())
      }
      let name = URL(filePath: asset.relativePath).lastPathComponent
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/\(asset.relativePath)", toPath: "\(folder.path)/.incoming/\(name)")
      return asset
    }
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.finishedStoring(path: asset.relativePath)])
      #expect(try folder.files == [asset.relativePath])
      #expect(try await library.assets(limit: 9) == [asset])
    }
    try await folder.withLibrary { _, findings in #expect(findings == []) }
  }

  @Test func `A library that is not open says so`() async throws {
    let library = try await folder.withLibrary { (library, _) async throws in
      await library.close()
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1], .photo())
      }
      #expect(error?.code == .notOpen)
      #expect(try folder.files == [])
      return library.folder
    }
    #expect(library == folder.path)
  }

  /// Makes every further row fail, as a damaged disk would.
  private func refuseRows() async throws {
    // An open library has its index to itself.
    try await folder.withLibrary { (_, _) async throws in }
    let index = try DatabaseQueue(path: folder.path + "/library.sqlite")
    try await index.write { database in
      try database.execute(
        sql:
          "CREATE TRIGGER refuse BEFORE INSERT ON asset BEGIN SELECT raise(ABORT, 'refused'); END"
      )
    }
    try index.close()
  }

  private func name(of draft: AssetDraft) -> String {
    URL(filePath: draft.path).lastPathComponent
  }
}
