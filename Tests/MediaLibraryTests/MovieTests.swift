import Digest
import EventLoop
import Foundation
import MediaLibrary
import Testing

@Suite struct MovieTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a movie is listed when it is finished, and not before`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie("cam-1"))
      #expect(draft.path.hasPrefix("\(folder.path)/.incoming/cam-1-20260504T101112.345Z-"))
      #expect(draft.path.hasSuffix(".mkv"))
      try Data("frames".utf8).write(to: URL(filePath: draft.path))
      #expect(try await library.totals().count == 0)

      let movie = try await library.finishMovie(draft, duration: .seconds(2), frameCount: 60)
      #expect(movie.id == draft.id)
      #expect(movie.duration == .seconds(2) && movie.frameCount == 60 && movie.byteCount == 6)
      #expect(try folder.files == [movie.relativePath])
      #expect(try await library.assets(limit: 9) == [movie])
    }
  }

  @Test(arguments: [0, 1, (8 << 20) - 1, 8 << 20, (8 << 20) + 1, 20 << 20])
  func `the digest is that of the whole file, however many slices it takes`(
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

  @Test func `a photo does not wait for the digest of a movie`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      try Data(count: 32 << 20).write(to: URL(filePath: draft.path))
      let order = Mutex<[MediaType]>([])
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        // Both are asked for on the library's thread, so that none begins before the other is in the queue.
        library.enter { _ in
          library.finishMovie(draft, duration: .seconds(1), frameCount: 30) { result in
            order.withLock { $0.append(.matroska) }
            continuation.resume(with: result.map { _ in })
          }
          library.perform { (library) throws(MediaLibraryError) in
            try library.storePhoto([1], .photo())
          } then: { _ in
            order.withLock { $0.append(.jpeg) }
          }
        }
      }
      #expect(order.withLock { $0 } == [.jpeg, .matroska])
      #expect(try await library.totals().count == 2)
    }
  }

  @Test func `a discarded movie leaves nothing, written or not`() async throws {
    try await folder.withLibrary { library, _ in
      let (written, unwritten) = (
        try await library.beginMovie(.movie()), try await library.beginMovie(.movie())
      )
      try Data([1]).write(to: URL(filePath: written.path))
      try await library.discard(written)
      try await library.discard(unwritten)
      #expect(try folder.files == [])
    }
  }

  @Test func `a movie that was never written cannot be finished`() async throws {
    try await folder.withLibrary { library, _ in
      let draft = try await library.beginMovie(.movie())
      await #expect(throws: MediaLibraryError.self) {
        try await library.finishMovie(draft, duration: .zero, frameCount: 0)
      }
      #expect(try await library.totals().count == 0)
    }
  }
}
