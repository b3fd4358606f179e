import CameraProtocol
import EventLoop
import Foundation
import MediaLibrary
import SwiftProtobuf
import TestSupport
import Testing
import Words

@testable import CameraNode

extension NodeTests {
  struct DownloadTests {
    /// One chunk from a reply.
    struct Chunk {
      var offset: Int
      var total: Int
      var bytes: [UInt8]
    }

    /// Runs `body` with a node whose library has a movie of several chunks.
    func withMovie(
      _ body: (TestNode, WireAsset, _ file: [UInt8]) async throws -> Void
    ) async throws {
      try await TestNode.run(["cam=synthetic:640x480@60,format=YUYV"]) { test in
        let movie = try await test.client.movie(frames: 80, quality: 100).asset
        try #require(movie.byteCount > 3 * WireLimits.chunkByteCount)
        try await body(test, movie, try test.file(movie.path))
      }
    }

    /// Runs `body` with a node whose library has a file larger than the system's socket buffers.
    func withLargeFile(
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

    /// The number of this process's descriptors that are open on the asset's file.
    func openings(_ test: TestNode, _ asset: WireAsset) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasSuffix(asset.path) ?? false
      }
    }

    /// Requests the status repeatedly until the file is open `count` times.
    func settle(
      _ test: TestNode, _ asset: WireAsset, openings count: Int
    ) async throws {
      while try openings(test, asset) != count { try await test.client.letPass(frames: 1) }
    }

    func request(
      _ asset: WireAsset, offset: Int = 0, credit: UInt32 = 64
    ) -> WireRequest.OneOf_Body {
      .download(
        .with {
          $0.asset = asset.id
          $0.offset = UInt64(offset)
          $0.credit = credit
        })
    }

    func chunks(_ replies: [Reply]) throws -> [Chunk] {
      try replies.compactMap { reply in
        guard case .chunk(let chunk)? = reply.wire.body else { return nil }
        return Chunk(
          offset: Int(chunk.offset), total: Int(chunk.total),
          bytes: try #require(reply.attachment))
      }
    }

    @Test func `The chunks make up the file, and the final reply has its digest`() async throws {
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

    @Test func `A download resumes at an offset`() async throws {
      try await withMovie { test, movie, file in
        for offset in [1, WireLimits.chunkByteCount, file.count - 1, file.count] {
          let chunks = try chunks(await test.client.ask(request(movie, offset: offset)))
          #expect(chunks.flatMap(\.bytes) == Array(file[offset...]))
        }
      }
    }

    @Test func `The node sends one chunk per credit, and none without`() async throws {
      try await withMovie { test, movie, file in
        let client = test.client
        let id = RequestID.random()
        try await client.send(request(movie, credit: 1), id: id)
        func came() async throws -> Int {
          // The library answers in order, so a chunk that was requested earlier has arrived by now.
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

    @Test(arguments: [UInt32(1), 64])
    func `A download ends as the answer to its cancellation says, at every moment`(
      credit: UInt32
    ) async throws {
      try await withMovie { test, movie, _ in
        let client = test.client
        for round in 0..<60 {
          let id = RequestID.random()
          try await client.send(request(movie, credit: credit), id: id)
          // Some are cancelled while the file is opened, the others as soon as a chunk has come.
          if round.isMultiple(of: 2) { _ = try await client.progress(id) { $0.map { _ in true } } }
          let outcome = try await client.cancel(id)
          let end = try await client.final(id)
          if case .error(let error)? = end {
            #expect(outcome == .cancelled && error.code == .cancelled)
          } else {
            #expect(outcome != .cancelled && credit > 1, "Without credit it cannot have ended")
          }
        }
      }
    }

    @Test func `A download can be cancelled`() async throws {
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

    @Test func `A slow client receives everything in the end`() async throws {
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
  }
}
