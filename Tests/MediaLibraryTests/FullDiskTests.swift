import Foundation
import MediaLibrary
import TestSupport
import Testing

@Suite struct FullDiskTests {
  @Test func `Storing into the reserve is refused, and the message says what to do`() async throws {
    let folder = try TemporaryFolder()
    try await folder.withLibrary(minimumFreeBytes: .max / 2) { (library, _) async throws in
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1], .photo())
      }
      #expect(error?.code == .storageFull)
      #expect(error?.message.contains(folder.path) == true)
      #expect(error?.message.contains("iB free and keeps ") == true)
      #expect(
        error?.message.contains("and 1 B are to be stored: delete photos or movies there") == true)
      let movie = await #expect(throws: MediaLibraryError.self) {
        try await library.beginMovie(.movie())
      }
      #expect(movie?.code == .storageFull)
      #expect(try folder.files == [])
    }
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `A photo that fills the disk leaves nothing behind`() async throws {
    let disk = try SmallDisk(megabytes: 2)
    defer { disk.unmount() }
    // With a negative reserve the library does not refuse the photo, so the disk must.
    try await disk.folder.withLibrary(minimumFreeBytes: -10_000_000) { library, _ in
      let big = [UInt8](repeating: 7, count: 1_000_000)
      let small = try await library.storePhoto([UInt8](repeating: 1, count: 1000), .photo())
      try disk.fill(leaving: 300_000)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto(big, .photo())
      }
      #expect(error?.code == .storageFull)
      #expect(try disk.folder.files == [small.relativePath, "filler"].sorted())
      #expect(try await library.assets(limit: 9) == [small])

      try disk.clear()
      let stored = try await library.storePhoto(big, .photo())
      #expect(try await library.bytes(of: stored) == big)
    }
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `Assets can be deleted on a disk without a free byte`() async throws {
    let disk = try SmallDisk(megabytes: 2)
    defer { disk.unmount() }
    try await disk.folder.withLibrary(minimumFreeBytes: -10_000_000) { library, _ in
      var assets: [Asset] = []
      for _ in 0..<8 {
        assets.append(try await library.storePhoto([UInt8](repeating: 1, count: 60_000), .photo()))
      }
      try disk.fill()
      for asset in assets { try await library.remove(asset.id) }
      #expect(try disk.folder.files == ["filler"])
      #expect(try await library.assets(limit: 9) == [])
    }
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `Movies that have filled the disk are listed, or their end is recorded`() async throws {
    let disk = try SmallDisk(megabytes: 4)
    defer { disk.unmount() }
    let postponed = try await disk.folder.withLibrary(minimumFreeBytes: -10_000_000) { library, _ in
      var drafts: [AssetDraft] = []
      for _ in 0..<10 {
        // Photos use the room that is kept for the index, and it is filled up again.
        _ = try await library.storePhoto([UInt8](repeating: 1, count: 100), .photo())
        let draft = try await library.beginMovie(.movie())
        try Data(count: 1000).write(to: URL(filePath: draft.path))
        drafts.append(draft)
      }
      try disk.fill()
      for draft in drafts.dropLast(2) {
        let movie = try await library.finishMovie(draft, duration: .seconds(1), frameCount: 30)
        #expect(movie.byteCount == 1000)
      }
      #expect(try await library.postpone(drafts[8]))
      try FileManager.default.removeItem(atPath: drafts[9].path)
      #expect(try await !library.postpone(drafts[9]))
      #expect(try await library.totals().count == 18)
      return drafts[8]
    }
    try disk.clear()
    try await disk.folder.withLibrary(minimumFreeBytes: -10_000_000) { library, _ in
      let draft = try #require(try await library.unfinishedMovies().first)
      #expect(draft.id == postponed.id && draft.hasEnded && !postponed.hasEnded)
      #expect(try await library.unfinishedMovies().count == 1)
      #expect(try await library.totals().count == 18)
    }
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `A read-only disk is reported as such`() async throws {
    let disk = try SmallDisk(megabytes: 2)
    defer { disk.unmount() }
    try output(of: "mount", ["-o", "remount,ro", disk.folder.path])
    let error = await #expect(throws: MediaLibraryError.self) {
      try await disk.folder.withLibrary { _, _ in }
    }
    #expect(error?.code == .readOnly)
  }
}
