import GRDB
import OperatingSystem
import TestSupport
import Testing
import Words

@testable import MediaLibrary

/// A library on disks that lack something: memory shared by a file, case in names.
struct DiskKindTests {
  @Test func `The index shares no memory by a file, which 9p and some network disks lack`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("of an earlier version", to: "library.sqlite-shm")
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      #expect(try await library.assets(limit: 9) == [asset])
      #expect(!FileStatus.exists("\(folder.path)/library.sqlite-shm"))
      #expect(FileStatus.exists("\(folder.path)/library.sqlite-wal"))
    }
  }

  @Test func `Another program that has the index open is named as the cause`() async throws {
    let folder = try TemporaryFolder()
    try await folder.withLibrary { _, _ in }
    let other = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    _ = try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
    let error = await #expect(throws: MediaLibraryError.self) {
      try await folder.withLibrary { _, _ in }
    }
    #expect(error?.code == .inUse)
    #expect(error?.message.contains("another program has the index") == true)
    try other.close()
    try await folder.withLibrary { _, _ in }
  }

  @Test func `Notes of brackets have names that differ in more than case`() async throws {
    let folder = try TemporaryFolder()
    try await folder.withLibrary { library, _ in
      for camera in ["front", "Front", "FRONT"] {
        try await library.keepBracket(Array(camera.utf8), ofCamera: camera)
      }
      let names = try folder.files.map { $0.lowercased() }
      #expect(names.count == 3 && Set(names).count == 3)
    }
  }

  @Test(.enabled(if: ExFATDisk.canBeMade, "needs root and mkfs.exfat"))
  func `On exFAT cameras whose names differ in case alone keep their own files`() async throws {
    let disk = try ExFATDisk()
    defer { disk.unmount() }
    let cameras = ["Front", "front"]
    let stored = try await disk.folder.withLibrary { library, _ in
      var stored: [Asset] = []
      for camera in cameras {
        stored.append(try await library.storePhoto(Array(camera.utf8), .photo(camera)))
        let movie = try await library.beginMovie(.movie(camera))
        try disk.folder.write("movie of \(camera)", to: ".incoming/\(movie.name)")
        stored.append(
          try await library.finishMovie(movie, duration: .seconds(1), frameCount: 1))
        try await library.keepBracket(Array(camera.utf8), ofCamera: camera)
      }
      for camera in cameras {
        #expect(try await library.bracket(ofCamera: camera) == Array(camera.utf8))
      }
      try await library.removeBracket(ofCamera: "front")
      #expect(try await library.bracket(ofCamera: "Front") == Array("Front".utf8))
      return stored
    }
    // As they are spelled on the disk, so that a copy on another disk is whole.
    #expect(
      try disk.folder.files.filter { !$0.hasPrefix(".") } == stored.map(\.relativePath).sorted())
    try await disk.folder.withLibrary { library, findings in
      #expect(findings == [], "Nothing is missing or unlisted")
      for asset in stored {
        let camera = asset.description.camera
        let words = asset.description.mediaType == .jpeg ? camera : "movie of \(camera)"
        #expect(try await library.bytes(of: asset) == Array(words.utf8))
        try await library.remove(asset.id)
      }
    }
  }
}
