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
    try await folder.withLibrary { library, _ in
      try refuseRows()
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
    try await folder.withLibrary { library, _ in
      try FileManager.default.removeItem(atPath: folder.path + "/.incoming")
      await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1, 2, 3], .photo())
      }
      #expect(try folder.files == [])
      #expect(try await library.totals().count == 0)
    }
  }

  @Test func `A movie that the index refuses keeps its file, because it cannot be recorded again`()
    async throws
  {
    let draft = try await folder.withLibrary { library, _ in
      try refuseRows()
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
  private func refuseRows() throws {
    let index = try DatabaseQueue(path: folder.path + "/library.sqlite")
    try index.write { database in
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
