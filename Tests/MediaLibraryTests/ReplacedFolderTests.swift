import EventLoop
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import MediaLibrary

/// The folder, or a part of it, is deleted while the library is open.
@Suite struct ReplacedFolderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `An empty folder in the place of the library is not used until the next opening`()
    async throws
  {
    let findings = Recorded<LibraryFinding>()
    let rooms = Recorded<LibraryRoom>()
    try await folder.withLibrary { (library, _) async throws in
      await library.watchFindings { findings.add($0) }
      _ = try await library.storePhoto([1], .photo())
      try replace()
      await library.watchSpace(for: []) { rooms.add($0) }
      #expect(rooms.events.last?.error?.code == .storageFailed)
      for _ in 0..<2 {
        let error = await #expect(throws: MediaLibraryError.self) {
          try await library.storePhoto([2], .photo())
        }
        #expect(error?.code == .storageFailed)
        #expect(error?.message.contains("mount its disk") == true)
      }
      #expect(try folder.files == [])
    }
    #expect(findings.events == [])
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [])
      _ = try await library.storePhoto([3], .photo())
    }
  }

  @Test func `A folder without an index is no library when it is opened in the place of another`()
    throws
  {
    // Between the look at the folder and this another one may have come.
    let layout = LibraryLayout(folder: folder.path)
    let error = #expect(throws: MediaLibraryError.self) { try AssetIndex(layout, isNew: false) }
    #expect(error?.code == .storageFailed)
    #expect(try folder.files == [])
    try folder.write("", to: "library.sqlite")
    #expect(throws: MediaLibraryError.self) { try AssetIndex(layout, isNew: false) }
  }

  @Test func `A photo whose folder is exchanged while it is stored is not acknowledged`()
    async throws
  {
    let elsewhere = folder.path + ".elsewhere"
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    let loop = EventLoop(name: "library")
    defer { loop.stop() }
    let library = try MediaLibrary(folder: folder.path, loop: loop, minimumFreeBytes: 0)
    try await library.open()
    _ = try await library.storePhoto([1], .photo())
    try await library.requireInPlace()
    try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    await #expect(throws: MediaLibraryError.self) { try await library.requireInPlace() }
    await library.close()
  }

  @Test func `A link in the place of the library is not followed, whatever it leads to`()
    async throws
  {
    let elsewhere = folder.path + ".elsewhere"
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try await folder.withLibrary { (library, _) async throws in
      let photo = try await library.storePhoto([1], .photo())
      try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path, withDestinationPath: elsewhere)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([2], .photo())
      }
      #expect(error?.code == .storageFailed)
      #expect(error?.message.contains("a link") == true)
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.moveItem(atPath: elsewhere, toPath: folder.path)
      #expect(try await library.assets(limit: 9) == [photo])
    }
  }

  @Test func `A library behind a link stays behind it`() async throws {
    let link = folder.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    defer { try? FileManager.default.removeItem(atPath: link) }
    let loop = EventLoop(name: "library")
    defer { loop.stop() }
    let library = try MediaLibrary(folder: link, loop: loop, minimumFreeBytes: 0)
    try await library.open()
    let photo = try await library.storePhoto([1], .photo())
    try FileManager.default.removeItem(atPath: link)
    await #expect(throws: MediaLibraryError.self) { try await library.totals() }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(try await library.assets(limit: 9) == [photo])
    await library.close()
  }

  @Test func `A folder that is gone is not made again, because its disk may be missing`()
    async throws
  {
    try await folder.withLibrary { (library, _) async throws in
      try FileManager.default.removeItem(atPath: folder.path)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1], .photo())
      }
      #expect(error?.code == .storageFailed)
      #expect(error?.message.contains("is gone") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }

  @Test func `A folder that was moved away and back has its assets, and the log says how many`()
    async throws
  {
    let findings = Recorded<LibraryFinding>()
    try await folder.withLibrary { (library, _) async throws in
      await library.watchFindings { findings.add($0) }
      let photo = try await library.storePhoto([1], .photo())
      let elsewhere = folder.path + ".away"
      try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
      await #expect(throws: MediaLibraryError.self) { try await library.totals() }
      try FileManager.default.moveItem(atPath: elsewhere, toPath: folder.path)
      #expect(try await library.assets(limit: 9) == [photo])
    }
    #expect(findings.events == [.replaced(folder: folder.path, assetCount: 1)])
    #expect(findings.events.first?.description.hasSuffix("has 1 asset") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files to other groups"))
  func `A replaced folder is given to the group that may read the library`() async throws {
    let group = try #require(FileGroup("daemon"))
    let other = try TemporaryFolder()
    try await other.withLibrary { (_, _) async throws in }
    try await folder.withLibrary(group: group) { (library, _) async throws in
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.moveItem(atPath: other.path, toPath: folder.path)
      let photo = try await library.storePhoto([1], .photo())
      let parts = photo.relativePath.split(separator: "/").map(String.init)
      for name in [".", ".incoming", parts[0], "\(parts[0])/\(parts[1])", photo.relativePath] {
        let status = try FileStatus(at: "\(folder.path)/\(name)")
        #expect(status.group == 1, "\(name)")
        #expect(!status.isFolder || status.permissions & 0o2050 == 0o2050, "\(name)")
      }
    }
  }

  @Test func `A library whose index was deleted lists what it stores from then on`() async throws {
    let findings = Recorded<LibraryFinding>()
    try await folder.withLibrary { (library, _) async throws in
      await library.watchFindings { findings.add($0) }
      let unlisted = try await library.storePhoto([1], .photo())
      try FileManager.default.removeItem(atPath: folder.path + "/library.sqlite")
      let photo = try await library.storePhoto([2], .photo())
      #expect(try await library.assets(limit: 9) == [photo])
      #expect(
        findings.events == [
          .replaced(folder: folder.path, assetCount: 0),
          .unlisted(count: 1, first: unlisted.relativePath),
        ])
    }
    try await folder.withLibrary { (library, _) async throws in
      #expect(try await library.totals().count == 1)
    }
  }

  @Test func `A folder of beginnings that was deleted is made again`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      let before = try await library.storePhoto([1], .photo())
      try FileManager.default.removeItem(atPath: folder.path + "/.incoming")
      let photo = try await library.storePhoto([2], .photo())
      #expect(try await Set(library.assets(limit: 9).map(\.id)) == [before.id, photo.id])
    }
  }

  @Test func `A link in the place of the folder of beginnings is not followed`() async throws {
    let elsewhere = try TemporaryFolder()
    try await folder.withLibrary { (library, _) async throws in
      let incoming = folder.path + "/.incoming"
      try FileManager.default.removeItem(atPath: incoming)
      try folder.link(".incoming", to: elsewhere.path)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1], .photo())
      }
      #expect(error?.code == .notAFolder)
      #expect(try elsewhere.files == [])
      #expect(try await library.totals().count == 0, "The library can still be asked")
      try FileManager.default.removeItem(atPath: incoming)
      _ = try await library.storePhoto([1], .photo())
    }
  }

  @Test(arguments: ["front", "front/2026-05-04"])
  func `A link in the place of a folder of assets is not followed`(name: String) async throws {
    let elsewhere = try TemporaryFolder()
    try await folder.withLibrary { (library, _) async throws in
      // This one was begun before the link was there.
      let movie = try await library.beginMovie(.movie())
      try Data([1]).write(to: URL(filePath: movie.path))
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      try folder.link(name, to: elsewhere.path)
      for isMovie in [false, true] {
        let error = await #expect(throws: MediaLibraryError.self) {
          if isMovie {
            _ = try await library.beginMovie(.movie())
          } else {
            _ = try await library.storePhoto([1], .photo())
          }
        }
        #expect(error?.code == .notAFolder)
        #expect(error?.message.contains("open \(folder.path)/\(name): ") == true)
      }
      await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(movie, duration: .seconds(1), frameCount: 30)
      }
      #expect(try elsewhere.names == [])
      #expect(FileManager.default.fileExists(atPath: movie.path))
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      _ = try await library.finishMovie(movie, duration: .seconds(1), frameCount: 30)
      _ = try await library.storePhoto([1], .photo())
    }
  }

  @Test func `A folder that another library took meanwhile is left to it`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      try replace()
      try await folder.withLibrary { (other, _) async throws in
        let photo = try await other.storePhoto([1], .photo())
        let error = await #expect(throws: MediaLibraryError.self) {
          try await library.storePhoto([2], .photo())
        }
        #expect(error?.code == .inUse)
        #expect(try await other.assets(limit: 9) == [photo])
      }
    }
  }

  private func replace() throws {
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
  }
}
