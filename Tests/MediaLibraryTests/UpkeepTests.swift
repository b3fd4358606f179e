import Foundation
import OperatingSystem
import TestSupport
import Testing
import Words

@testable import MediaLibrary

/// Comparing files with the index, and mending what differs.
@Suite struct UpkeepTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ asset: Asset) -> String { "\(folder.path)/\(asset.relativePath)" }

  @Test func `Every byte is compared, whatever the time of change says`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      let asset = try await library.storePhoto([1, 2, 3], .photo())
      // A bit of the disk has tipped over: the file has its size and its time of change.
      let reference = "\(folder.path)/reference"
      try output(of: "cp", ["-p", path(asset), reference])
      let file = try #require(FileHandle(forUpdatingAtPath: path(asset)))
      file.write(Data([9]))
      try file.close()
      try output(of: "touch", ["-r", reference, path(asset)])
      #expect(try await library.assets(limit: 9).first?.condition == .intact)
      let seen = try await library.verify(asset) { _ in true }
      #expect(seen?.condition == .changed)
      #expect(try await library.asset(asset.id)?.condition == .changed)
      // The old bytes are back.
      try folder.write("\u{1}\u{2}\u{3}", to: asset.relativePath)
      #expect(try await library.verify(asset) { _ in true }?.condition == .intact)
      try FileManager.default.removeItem(atPath: path(asset))
      #expect(try await library.verify(asset) { _ in true }?.condition == .missing)
    }
  }

  @Test func `A comparison ends when nobody wants it any more`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      let bytes = [UInt8](repeating: 7, count: 2 * FileDigest.sliceByteCount)
      let asset = try await library.storePhoto(bytes, .photo())
      let slices = Mutex(0)
      let seen = try await library.verify(asset) { _ in
        slices.withLock { $0 += 1 }
        return false
      }
      let count = slices.withLock { $0 }
      #expect(seen == nil && count == 1)
    }
  }

  @Test func `The totals of a query count what it selects`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      for index in 0..<4 {
        var description = AssetDescription.photo(index < 3 ? "front" : "back")
        description.labels.tags = index.isMultiple(of: 2) ? ["a", "b"] : ["b"]
        _ = try await library.storePhoto([UInt8](repeating: 1, count: index + 1), description)
      }
      var query = AssetQuery()
      query.tags = ["a", "b"]
      #expect(try await library.totals(of: query) == LibraryTotals(count: 2, byteCount: 4))
      query = AssetQuery()
      query.cameras = ["front"]
      #expect(try await library.totals(of: query) == LibraryTotals(count: 3, byteCount: 6))
    }
  }

  @Test func `A file that was moved within the library is found again by its bytes`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      let asset = try await library.storePhoto([1, 2, 3], .photo())
      let other = try await library.storePhoto([1, 2, 3], .photo())
      try await library.protect(asset.id, true)
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/mine/old", withIntermediateDirectories: true)
      let moved = "mine/old/holiday.jpg"
      try FileManager.default.moveItem(atPath: path(asset), toPath: "\(folder.path)/\(moved)")
      #expect(try await library.unlistedFiles() == [moved])
      guard case .found(let found) = try await library.examine(moved, while: { _ in true }) else {
        Issue.record("not found")
        return
      }
      #expect(found.id == asset.id && found.relativePath == moved && found.isProtected)
      #expect(try await library.bytes(of: found) == [1, 2, 3])
      #expect(try await library.unlistedFiles() == [])
      #expect(try await library.asset(other.id) == other)
    }
  }

  @Test func `All files are listed again when the index is gone, with the same ids each time`()
    async throws
  {
    let asset = try await folder.withLibrary { (library, _) async throws in
      var description = AssetDescription.photo(at: 1_777_889_472_345_000_000)
      description.part = .depth
      let asset = try await library.storePhoto([1, 2, 3], description)
      try await library.protect(asset.id, true)
      return asset
    }
    var ids: [AssetID] = []
    for _ in 0..<2 {
      try folder.removeIndex()
      try await folder.withLibrary { (library, findings) async throws in
        #expect(findings == [.unlisted(count: 1, first: asset.relativePath)])
        let file = try await unknown(asset.relativePath, library)
        let labels = AssetLabels(name: "n", tags: ["t"])
        let adopted = try await library.adopt(
          file, size: (4, 3), createdAt: nil, movie: nil, labels)
        ids.append(adopted.id)
        #expect("\(adopted.id)".prefix(8) == "\(asset.id)".prefix(8))
        #expect(adopted.description.camera == "front" && adopted.description.part == .depth)
        #expect(adopted.description.createdAt == 1_777_889_472_345_000_000)
        #expect(adopted.description.labels == labels && !adopted.isProtected)
        #expect(adopted.sha256 == asset.sha256)
        #expect(try await library.bytes(of: adopted) == [1, 2, 3])
        #expect(try await library.unlistedFiles() == [])
        #expect(try await library.totals().count == 1)
      }
    }
    #expect(ids[0] == ids[1])
  }

  @Test func `A file that was changed since it was read is not listed`() async throws {
    let asset = try await folder.withLibrary { (library, _) async throws in
      try await library.storePhoto([1, 2, 3], .photo())
    }
    try folder.removeIndex()
    try await folder.withLibrary { (library, _) async throws in
      let file = try await unknown(asset.relativePath, library)
      try folder.write("longer", to: asset.relativePath)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.adopt(
          file, size: (4, 3), createdAt: nil, movie: nil, AssetLabels())
      }
      #expect(error?.code == .assetChanged)
      #expect(try await library.totals().count == 0)
    }
  }

  @Test func `What is not the library's own is left alone`() async throws {
    let own = "front-20260504T101112.345Z-0123456"
    let other = try TemporaryFolder()
    try other.write("mine", to: "file.jpg")
    try await folder.withLibrary { (library, _) async throws in
      for path in ["front/2026-05-04/holiday.jpg", "back/2026-05-04/\(own)0.jpg"] {
        try folder.write("mine", to: path)
      }
      let linked = "front/2026-05-04/\(own)1.jpg"
      try FileManager.default.linkItem(
        atPath: "\(other.path)/file.jpg", toPath: "\(folder.path)/\(linked)")
      try folder.link("front/2026-05-04/\(own)2.jpg", to: "\(other.path)/file.jpg")
      let paths = try await library.unlistedFiles()
      #expect(paths.count == 4)
      for path in paths {
        guard case .left(let error) = try await library.examine(path, while: { _ in true }) else {
          Issue.record("\(path) is not left")
          continue
        }
        #expect(error.message.contains(path))
      }
      #expect(try folder.read("front/2026-05-04/holiday.jpg") == Array("mine".utf8))
    }
  }

  @Test func `Only entries whose files are gone are dropped, and no protected one`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      var assets: [Asset] = []
      for _ in 0..<3 { assets.append(try await library.storePhoto([1], .photo())) }
      for asset in assets.dropFirst() {
        try FileManager.default.removeItem(atPath: path(asset))
      }
      try await library.protect(assets[2].id, true)
      #expect(try await library.forget(assets[0].id) == nil)
      #expect(try await library.forget(assets[1].id)?.id == assets[1].id)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.forget(assets[2].id)
      }
      #expect(error?.code == .assetProtected)
      #expect(try await library.asset(assets[1].id) == nil)
      #expect(try await library.bytes(of: assets[0]) == [1])
    }
  }

  @Test func `A movie that was set aside is tried again`() async throws {
    let name = "front-20260504T101112.345Z-01234567.mkv"
    try folder.write("a movie", to: "set-aside/\(name)")
    try folder.write("mine", to: "set-aside/notes.txt")
    try await folder.withLibrary { (library, _) async throws in
      #expect(try await library.namesSetAside() == [name, "notes.txt"])
      #expect(try await library.takeUp(setAside: "notes.txt") == nil)
      #expect(try await library.takeUp(setAside: name, ofCameras: ["back"]) == nil)
      let draft = try #require(try await library.takeUp(setAside: name))
      #expect(draft.description.camera == "front" && draft.hasEnded)
      #expect(try await library.unfinishedMovies() == [draft])
      let movie = try await library.finishMovie(
        draft, size: (4, 3), duration: .seconds(1), frameCount: 2)
      #expect(movie.relativePath == "front/2026-05-04/\(name)")
      #expect("\(movie.id)".hasPrefix("01234567"))
      #expect(try folder.files.sorted() == ["front/2026-05-04/\(name)", "set-aside/notes.txt"])
    }
  }

  @Test func `A damaged index is kept beside a new one`() async throws {
    let asset = try await folder.withLibrary { (library, _) async throws in
      try await library.storePhoto([1], .photo())
    }
    let damaged = String(repeating: "no database ", count: 1000)
    try folder.removeIndex()
    try folder.write(damaged, to: "library.sqlite")
    let kept = "\(asset.id).photo"
    try folder.write("a photo to be finished", to: ".deferred/\(kept)")
    try await folder.withLibrary { (library, findings) async throws in
      guard case .damagedIndex(let copy) = findings.first else {
        Issue.record("\(findings)")
        return
      }
      #expect(findings.dropFirst() == [.unlisted(count: 1, first: asset.relativePath)])
      #expect(try folder.read(copy) == Array(damaged.utf8))
      #expect(
        try folder.read("\(copy).deferred/\(kept)") == Array("a photo to be finished".utf8))
      #expect(await library.findings == findings)
      _ = try await library.storePhoto([2], .photo())
    }
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.unlisted(count: 1, first: asset.relativePath)])
      #expect(try await library.totals().count == 1)
    }
  }

  @Test func `An index with a damaged page is kept beside a new one`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      for _ in 0..<50 { _ = try await library.storePhoto([1], .photo()) }
    }
    let path = "\(folder.path)/library.sqlite"
    // All pages but the first one, which has the schema's beginning.
    let byteCount = try FileStatus(at: path).byteCount - 4096
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 4096)
    file.write(Data(repeating: 0x5a, count: byteCount))
    try file.close()
    try await folder.withLibrary { (library, findings) async throws in
      guard case .damagedIndex = findings.first else {
        Issue.record("\(findings)")
        return
      }
      #expect(try await library.unlistedFiles().count == 50)
    }
  }

  @Test func `Another program's database is kept beside a new index`() async throws {
    let path = "\(folder.path)/library.sqlite"
    let rows = "SELECT group_concat(a) FROM mine"
    func ask(_ path: String, _ sql: String) throws -> String {
      let script =
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); print(*d.execute(sys.argv[2])); d.commit()"
      return String(decoding: try output(of: "python3", ["-c", script, path, sql]), as: UTF8.self)
    }
    _ = try ask(path, "CREATE TABLE mine (a INTEGER)")
    _ = try ask(path, "INSERT INTO mine VALUES (1), (2), (3)")
    try await folder.withLibrary { (library, findings) async throws in
      guard case .damagedIndex(let copy)? = findings.first else {
        Issue.record("\(findings)")
        return
      }
      #expect(try ask("\(folder.path)/\(copy)", rows).contains("1,2,3"))
      _ = try await library.storePhoto([1], .photo())
    }
  }

  private func unknown(_ path: String, _ library: MediaLibrary) async throws -> UnlistedFile {
    guard case .unknown(let file) = try await library.examine(path, while: { _ in true }) else {
      throw CocoaError(.fileReadUnknown)
    }
    return file
  }
}

extension TemporaryFolder {
  /// The index is lost, as on an SD card.
  fileprivate func removeIndex() throws {
    for end in ["", "-wal"] where FileStatus.exists("\(path)/library.sqlite\(end)") {
      try FileManager.default.removeItem(atPath: "\(path)/library.sqlite\(end)")
    }
  }
}
