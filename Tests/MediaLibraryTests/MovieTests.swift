import Digest
import EventLoop
import Foundation
import MediaLibrary
import OperatingSystem
import TestSupport
import Testing

@Suite struct MovieTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A movie is listed when it is finished, and not before`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie("cam-1"))
      #expect(draft.path.hasPrefix("\(folder.path)/.incoming/cam-1-20260504T101112.345Z-"))
      #expect(draft.path.hasSuffix(".mkv"))
      try Data("frames".utf8).write(to: URL(filePath: draft.path))
      #expect(try await library.totals().count == 0)

      let movie = try await library.finishMovie(
        draft, createdAt: 1_777_889_473_000_000_001, size: (480, 640), duration: .seconds(2),
        frameCount: 60)
      #expect(movie.id == draft.id)
      // The time of the first frame, which was not known at the beginning.
      #expect(movie.description.createdAt == 1_777_889_473_000_000_001)
      #expect(movie.description.width == 480 && movie.description.height == 640)
      #expect(movie.duration == .seconds(2) && movie.frameCount == 60 && movie.byteCount == 6)
      #expect(try folder.files == [movie.relativePath])
      #expect(try await library.assets(limit: 9) == [movie])
      #expect(!movie.isRecovered)
      #expect(try await library.unfinishedMovies() == [])
    }
  }

  @Test(arguments: [0, 1, (8 << 20) - 1, 8 << 20, (8 << 20) + 1, 20 << 20])
  func `The digest is that of the whole file, for any number of slices`(
    byteCount: Int
  ) async throws {
    try await folder.withLibrary { library, _ in
      var bytes = [UInt8](repeating: 0, count: byteCount)
      for page in stride(from: 0, to: byteCount, by: 4096) {
        bytes[page] = UInt8(truncatingIfNeeded: page / 4096 + 1)
      }
      let draft = try await library.beginMovie(.movie())
      try Data(bytes).write(to: URL(filePath: draft.path))
      let movie = try await library.finishMovie(draft, duration: .zero, frameCount: 0)
      #expect(movie.byteCount == byteCount)
      #expect(movie.sha256 == bytes.withBytes { SHA256.hash(of: $0) })
    }
  }

  @Test func `A pipe in the place of a movie is refused, and not waited for`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      _ = try folder.makePipe(String(draft.path.dropFirst(folder.path.count + 1)))
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(draft, duration: .zero, frameCount: 0)
      }
      #expect(error?.code == .notAFolder)
      #expect(try await library.totals().count == 0)
    }
  }

  @Test func `A photo does not wait for the digest of a movie`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      try Data(count: 32 << 20).write(to: URL(filePath: draft.path))
      _ = try await library.finishMovie(draft) { library in
        _ = try library.storePhoto([1], .photo())
        #expect(try library.unfinishedMovies().map(\.id) == [draft.id], "The photo came first")
      }
      #expect(try await library.totals().count == 2)
    }
  }

  @Test func `A movie that was cut off is found at the next opening with its description`()
    async throws
  {
    let description = AssetDescription.movie(requestID: [UInt8](1...16))
    let drafts = try await folder.withLibrary { library, _ in
      // One movie has a partial file, the other has none.
      let draft = try await library.beginMovie(description)
      try Data([1]).write(to: URL(filePath: draft.path))
      try Data([1]).write(to: URL(filePath: draft.path + ".part"))
      return [draft, try await library.beginMovie(.movie("left"))]
    }
    try await folder.withLibrary { (library, findings) async throws in
      let name = URL(filePath: drafts[0].path).lastPathComponent
      #expect(findings == [.deletedBeginning(path: ".incoming/\(name).part")])
      #expect(try await library.unfinishedMovies() == drafts)
      #expect(drafts[0].description == description)
      let movie = try await library.finishMovie(
        drafts[0], duration: .seconds(1), frameCount: 30, isRecovered: true)
      #expect(movie.isRecovered && movie.description == description)
      try await library.discard(drafts[1])
      #expect(try folder.files == [movie.relativePath])
      #expect(try await library.assets(requestID: [UInt8](1...16), limit: 9) == [movie])
    }
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [])
      #expect(try await library.unfinishedMovies() == [])
      #expect(try await library.assets(limit: 9).map(\.isRecovered) == [true])
    }
  }

  @Test func `A movie that cannot be completed is set aside unchanged`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      try Data("frames".utf8).write(to: URL(filePath: draft.path))
      let path = try await library.setAside(draft)
      #expect(path == "\(folder.path)/set-aside/\(URL(filePath: draft.path).lastPathComponent)")
      #expect(try folder.files.map { try folder.read($0) } == [Array("frames".utf8)])
      #expect(try await library.unfinishedMovies() == [])
    }
    try await folder.withLibrary { _, findings in #expect(findings == []) }
  }

  @Test func `A closed library stops computing a digest`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      try Data(count: 64 << 20).write(to: URL(filePath: draft.path))
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(draft) { library in library.close() }
      }
      #expect(error?.code == .notOpen)
    }
  }

  @Test func `A discarded movie leaves nothing, whether it was written or not`() async throws {
    try await folder.withLibrary { library, _ in
      let (written, unwritten) = (
        try await library.beginMovie(.movie()), try await library.beginMovie(.movie())
      )
      try Data([1]).write(to: URL(filePath: written.path))
      try await library.discard(written)
      try await library.discard(unwritten)
      #expect(try folder.files == [])
      #expect(try await library.unfinishedMovies() == [])
    }
  }

  @Test func `A movie without a file cannot be finished`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(draft, duration: .zero, frameCount: 0)
      }
      #expect(try await library.totals().count == 0)
    }
  }
}
