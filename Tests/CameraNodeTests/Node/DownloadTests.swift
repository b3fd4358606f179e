import CameraProtocol
import EventLoop
import Foundation
import MediaLibrary
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct DownloadTests {
    /// A chunk as it came.
    private struct Chunk {
      var offset: Int
      var total: Int
      var bytes: [UInt8]
    }

    /// Runs `body` with a node whose library has a movie of several chunks.
    private func withMovie(
      _ body: (TestNode, WireAsset, _ file: [UInt8]) async throws -> Void
    ) async throws {
      try await TestNode.run(["cam=synthetic:640x480@60,format=YUYV"]) { test in
        let movie = try await test.client.movie(frames: 80, quality: 100).asset
        try #require(movie.byteCount > 3 * WireLimits.chunkByteCount)
        try await body(test, movie, try test.file(movie.path))
      }
    }

    /// Runs `body` with a node whose library has a file that is more than the system's buffers take.
    private func withLargeFile(
      configure: (inout NodeConfiguration) -> Void = { _ in },
      _ body: (TestNode, WireAsset) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let loop = EventLoop(name: "test-library")
      defer { loop.stop() }
      let library = try MediaLibrary(folder: folder.path, loop: loop)
      try await library.open()
      _ = try await library.storePhoto(
        [UInt8](repeating: 7, count: 24 << 20),
        AssetDescription(camera: "cam", mediaType: .jpeg, width: 1, height: 1, createdAt: 0))
      await library.close()
      try await TestNode.run(
        configure: {
          $0.library = folder.path
          configure(&$0)
        },
        { test in
          try await body(test, try #require(try await test.client.assets().first))
        })
    }

    /// How often this process has the file open.
    private func openings(_ test: TestNode, _ asset: WireAsset) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasSuffix(asset.path) ?? false
      }
    }

    /// Asks for the status again and again until the file is open so many times.
    private func settle(
      _ test: TestNode, _ asset: WireAsset, openings count: Int
    ) async throws {
      while try openings(test, asset) != count { try await test.client.letPass(frames: 1) }
    }

    private func request(
      _ asset: WireAsset, offset: Int = 0, credit: UInt32 = 64
    ) -> WireRequest.OneOf_Body {
      .download(
        .with {
          $0.asset = asset.id
          $0.offset = UInt64(offset)
          $0.credit = credit
        })
    }

    private func chunks(_ replies: [Reply]) throws -> [Chunk] {
      try replies.compactMap { reply in
        guard case .chunk(let chunk)? = reply.wire.body else { return nil }
        return Chunk(
          offset: Int(chunk.offset), total: Int(chunk.total),
          bytes: try #require(reply.attachment))
      }
    }

    @Test func `Chunks make up the file, and the end tells its digest`() async throws {
      try await withMovie { test, movie, file in
        let replies = try await test.client.ask(request(movie))
        let chunks = try chunks(replies)
        #expect(
          chunks.count == (file.count + WireLimits.chunkByteCount - 1) / WireLimits.chunkByteCount)
        #expect(chunks.allSatisfy { $0.total == file.count })
        #expect(chunks.allSatisfy { $0.bytes.count <= WireLimits.chunkByteCount })
        var offset = 0
        for chunk in chunks {
          #expect(chunk.offset == offset)
          offset += chunk.bytes.count
        }
        let bytes = chunks.flatMap(\.bytes)
        #expect(bytes == file)
        guard case .download(let result)? = replies.last?.wire.body else { throw Unexpected(nil) }
        #expect(result.asset == movie)
        #expect(result.asset.sha256 == sha256(bytes))
        #expect(replies.map(\.wire.index) == Array(1...UInt32(replies.count)))
      }
    }

    @Test func `A download goes on where another stopped`() async throws {
      try await withMovie { test, movie, file in
        for offset in [1, WireLimits.chunkByteCount, file.count - 1, file.count] {
          let chunks = try chunks(await test.client.ask(request(movie, offset: offset)))
          #expect(chunks.flatMap(\.bytes) == Array(file[offset...]))
        }
      }
    }

    @Test func `Without credit no chunk comes, with some as many`() async throws {
      try await withMovie { test, movie, file in
        let client = test.client
        let id = RequestID.random()
        try await client.send(request(movie, credit: 1), id: id)
        func came() async throws -> Int {
          // The library answers in order: had it been asked for a chunk, that would have come before its list.
          _ = try await client.assets()
          return try chunks(await client.replies.filter { $0.wire.id == id.data }).count
        }
        _ = try await client.progress(id) { $0.map { _ in true } }
        #expect(try await came() == 1)
        let credit = WireDownloadCredit.with {
          $0.download = id.data
          $0.chunks = 2
        }
        try await client.send(.downloadCredit(credit), id: .random())
        _ = try await client.arrival { client in
          client.replies.first { $0.wire.id == id.data && $0.wire.index == 3 }
        }
        #expect(try await came() == 3)
        try await client.send(
          .downloadCredit(
            .with {
              $0.download = id.data
              $0.chunks = 64
            }), id: .random())
        #expect(try chunks(await client.conversation(id)).flatMap(\.bytes) == file)
      }
    }

    @Test func `A download is cancelled`() async throws {
      try await withMovie { test, movie, _ in
        let client = test.client
        let id = RequestID.random()
        try await client.send(request(movie, credit: 1), id: id)
        _ = try await client.progress(id) { $0.map { _ in true } }
        #expect(try await client.cancel(id) == .cancelled)
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .cancelled)
      }
    }

    @Test func `A download whose client gives no credit is let go`() async throws {
      try await TestNode.run(configure: { $0.limits.downloadPatience = .milliseconds(300) }) {
        test in
        let movie = try await test.client.movie(frames: 5).asset
        let id = RequestID.random()
        try await test.client.send(request(movie, credit: 1), id: id)
        // The only chunk is the last one where the movie is small.
        let large = try await test.client.movie(frames: 60, quality: 100).asset
        _ = try await test.client.final(id)
        let error = try await test.client.error(request(large, credit: 1))
        #expect(error.code == .deadlineExceeded)
        #expect(error.retryable)
        try await settle(test, large, openings: 0)
      }
    }

    @Test func `A client that does not read is sent little, and let go`() async throws {
      try await withLargeFile(configure: { $0.limits.downloadPatience = .seconds(1) }) {
        test, file in
        try await StoppedPeers.with { stopped in
          try await stopped.connect(to: test.node.endpoints.control)
          try await stopped.send(request(file, credit: 64), id: .random())
          try await settle(test, file, openings: 1)
          try await settle(test, file, openings: 0)
        }
        #expect(try await test.client.status().undeliverableReplies <= 1, "the end alone")
      }
    }

    @Test func `A client that has gone is let go without waiting`() async throws {
      try await withLargeFile { test, file in
        try await StoppedPeers.with { stopped in
          try await stopped.connect(to: test.node.endpoints.control)
          try await stopped.send(request(file, credit: 64), id: .random())
          try await settle(test, file, openings: 1)
        }
        try await settle(test, file, openings: 0)
      }
    }

    @Test func `Who reads slowly gets everything in the end`() async throws {
      try await withLargeFile { test, file in
        let client = test.client
        let id = RequestID.random()
        try await client.send(request(file, credit: 64), id: id)
        var replies: [Reply] = []
        for chunk in 1...Int(file.byteCount) / WireLimits.chunkByteCount {
          _ = try await client.arrival { client in
            client.replies.first { $0.wire.id == id.data && $0.wire.index == chunk }
          }
          try await client.send(
            .downloadCredit(
              .with {
                $0.download = id.data
                $0.chunks = 1
              }), id: .random())
        }
        replies = try await client.conversation(id)
        #expect(try chunks(replies).reduce(0) { $0 + $1.bytes.count } == Int(file.byteCount))
        #expect(replies.last?.wire.download.asset == file)
      }
    }

    @Test func `A file that is cut short meanwhile is said to be`() async throws {
      try await withLargeFile { test, file in
        let client = test.client
        let id = RequestID.random()
        try await client.send(request(file, credit: 1), id: id)
        _ = try await client.progress(id) { $0.map { _ in true } }
        let handle = try #require(
          FileHandle(forWritingAtPath: "\(test.library)/\(file.path)"))
        try handle.truncate(atOffset: 1000)
        try handle.close()
        try await client.send(
          .downloadCredit(
            .with {
              $0.download = id.data
              $0.chunks = 1
            }), id: .random())
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .noSuchAsset)
        #expect(error.message.contains(file.path))
      }
    }

    @Test func `A file that is deleted meanwhile is sent to its end`() async throws {
      try await withMovie { test, movie, file in
        let client = test.client
        let id = RequestID.random()
        try await client.send(request(movie, credit: 1), id: id)
        _ = try await client.progress(id) { $0.map { _ in true } }
        try FileManager.default.removeItem(atPath: "\(test.library)/\(movie.path)")
        try await client.send(
          .downloadCredit(
            .with {
              $0.download = id.data
              $0.chunks = 64
            }), id: .random())
        #expect(try chunks(await client.conversation(id)).flatMap(\.bytes) == file)
      }
    }

    @Test func `What is not there cannot be downloaded`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let asset = try await client.storedPhoto().result.asset
        let beyond = try await client.error(request(asset, offset: Int(asset.byteCount) + 1))
        #expect(beyond.code == .invalidArgument)
        #expect(beyond.field == "download.offset")
        let farBeyond = try await client.error(
          .download(
            .with {
              $0.asset = asset.id
              $0.offset = .max
            }))
        #expect(farBeyond.code == .invalidArgument)
        let unknown = WireAsset.with { $0.id = RequestID.random().data }
        #expect(try await client.error(request(unknown)).code == .noSuchAsset)
        try FileManager.default.removeItem(atPath: "\(test.library)/\(asset.path)")
        let missing = try await client.error(request(asset))
        #expect(missing.code == .noSuchAsset)
        #expect(missing.message.contains(asset.path))
      }
    }

    @Test func `A client with too much under way is busy, another is not, and an end makes room`()
      async throws
    {
      try await withMovie { test, movie, _ in
        let client = test.client
        var ids: [RequestID] = []
        for _ in 0..<RequestTable.Limits().requestsPerClient {
          ids.append(.random())
          try await client.send(request(movie, credit: 1), id: ids[ids.count - 1])
        }
        for id in ids { _ = try await client.progress(id) { $0.map { _ in true } } }
        let error = try await client.error(.status(WireStatusRequest()))
        #expect(error.code == .busy)
        #expect(error.retryable)
        try await test.withClient { other in
          let status = try await other.status()
          #expect(status.busyReplies == 1)
          #expect(try await other.error(request(movie)).code == .busy, "as many as the node has")
          #expect(try await other.cancel(ids[0]) == .cancelled)
        }
        _ = try await client.final(ids[0])
        #expect(try await client.status().busyReplies == 2)
      }
    }
  }
}
