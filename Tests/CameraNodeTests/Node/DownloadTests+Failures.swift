import CameraProtocol
import EventLoop
import Foundation
import MediaLibrary
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

/// Downloads that cannot continue: slow or absent clients, and files that change or are missing.
extension NodeTests.DownloadTests {
  @Test func `A download whose client gives no credit ends`() async throws {
    try await TestNode.run(configure: { $0.limits.downloadPatience = .milliseconds(300) }) {
      test in
      let movie = try await test.client.movie(frames: 5).asset
      let id = RequestID.random()
      try await test.client.send(request(movie, credit: 1), id: id)
      // A small movie would fit into its first chunk, so the limit needs a large one.
      let large = try await test.client.movie(frames: 60, quality: 100).asset
      _ = try await test.client.final(id)
      let error = try await test.client.error(request(large, credit: 1))
      #expect(error.code == .deadlineExceeded)
      #expect(error.retryable)
      try await settle(test, large, openings: 0)
    }
  }

  @Test func `A client that does not read gets little, and its download ends`() async throws {
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

  @Test func `A client that holds every place loses one to the next client`() async throws {
    try await withLargeFile { test, file in
      try await test.withClient { holder in
        let ids = (0..<64).map { _ in RequestID.random() }
        for id in ids { try await holder.send(request(file, credit: 1), id: id) }
        try await settle(test, file, openings: 64)
        let end = request(file, offset: Int(file.byteCount) - 100)
        let last = try await test.client.ask(end).last?.wire.body
        guard case .download? = last else { throw Unexpected(last) }
        // The order in which the holder's requests were begun is theirs.
        let ended = try await holder.arrival { holder in
          holder.replies.first { $0.wire.final }?.wire.error
        }
        #expect(ended.code == .busy)
        #expect(ended.retryable)
      }
    }
  }

  @Test(arguments: [true, false])
  func `When all places are taken, the place of one that sends little is taken`(isSlow: Bool)
    async throws
  {
    try await withLargeFile(configure: {
      $0.limits.requests.requestsPerClient = 100
      if isSlow { $0.limits.downloadGrace = .zero }
    }) { test, file in
      let client = test.client
      let ids = (0..<64).map { _ in RequestID.random() }
      for id in ids { try await client.send(request(file, credit: 1), id: id) }
      for id in ids { _ = try await client.progress(id) { $0.map { _ in true } } }
      let last = try await client.ask(request(file, offset: Int(file.byteCount) - 100)).last
      if isSlow {
        #expect(last?.wire.download.asset == file)
      } else {
        #expect(last?.wire.error.code == .busy)
        #expect(last?.wire.error.message.hasPrefix("64 downloads are under way") == true)
      }
    }
  }

  @Test func `The download of a client that left without giving credit ends at once`() async throws
  {
    try await withLargeFile { test, file in
      try await test.withClient { other in
        let id = RequestID.random()
        try await other.send(request(file, credit: 1), id: id)
        _ = try await other.progress(id) { $0.map { _ in true } }
        try await settle(test, file, openings: 1)
      }
      // Sooner than the node's patience, which is longer than the test may take.
      try await settle(test, file, openings: 0)
    }
  }

  @Test func `Credit for a download of an earlier epoch is refused`() async throws {
    try await TestNode.run { test in
      let credit = WireRequest.with {
        $0.id = RequestID.random().data
        $0.epoch = Epoch.random().data
        $0.downloadCredit = .with {
          $0.download = RequestID.random().data
          $0.chunks = 1
        }
      }
      try await test.client.send(parts: [Framing.signature, credit.bytes])
      let reply = try await test.client.arrival { $0.replies.first }
      #expect(reply.wire.error.code == .outcomeUnknown)
      #expect(reply.wire.id == credit.id)
    }
  }

  @Test func `The download of a client that left ends at once`() async throws {
    try await withLargeFile { test, file in
      try await StoppedPeers.with { stopped in
        try await stopped.connect(to: test.node.endpoints.control)
        try await stopped.send(request(file, credit: 64), id: .random())
        try await settle(test, file, openings: 1)
      }
      try await settle(test, file, openings: 0)
    }
  }

  @Test func `A file that is truncated during the download ends it with an error`() async throws {
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
      #expect(error.code == .assetDamaged)
      #expect(error.message.contains(file.path))
    }
  }

  @Test func `A file that is deleted during the download is sent to its end`() async throws {
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

  @Test func `An asset or offset that does not exist cannot be downloaded`() async throws {
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
      #expect(missing.code == .assetDamaged && !missing.retryable)
      #expect(missing.message.contains(asset.path))
    }
  }

  @Test
  func `A client at its limit is refused until a request ends; others are not`()
    async throws
  {
    try await withMovie { test, movie, _ in
      let client = test.client
      var ids: [RequestID] = []
      for _ in 0..<RequestMemory.Limits().requestsPerClient {
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
        // The client has all places of the node, and loses the newest.
        guard case .download? = try await other.ask(request(movie)).last?.wire.body else {
          throw Unexpected("the download of another client failed")
        }
        #expect(try await other.cancel(ids[0]) == .cancelled)
      }
      _ = try await client.final(ids[0])
      #expect(try await client.status().busyReplies == 2)
    }
  }
}
