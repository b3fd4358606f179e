import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

/// Photos whose outcome is unknown: found in the library where they can be, and never taken twice.
@Suite(.timeLimit(.minutes(5)))
struct LostPhotoTests {
  private static let picture: [UInt8] = [0xff, 0xd8, 9, 0xff, 0xd9]

  @Test func `A photo of a node that restarted is found in its library`() async throws {
    try await withFakeNode { node, bus in
      async let photo = bus.camera("cam").capture()
      var requests = node.requests.makeAsyncIterator()
      let request = try await Self.lose(&requests, node)
      let question = try #require(await requests.next())
      #expect(question.request.assets.requestID == request.request.id)
      let asset = WireAsset.asset(Self.picture, for: request.request.id)
      try await node.reply(to: question, .assets(.with { $0.assets = [asset] }))
      // The next request is for its bytes, not for another photo.
      let download = try #require(await requests.next())
      #expect(download.request.download.asset == asset.id)
      try await node.chunk(Self.picture[...], of: Self.picture.count, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
      #expect(try await photo.data == Self.picture)
      #expect(try await photo.requestID == Identifier(request.id))
      #expect(try await photo.asset?.id == Identifier(bytes: asset.id))
      #expect(try await photo.resolved == nil)
    }
  }

  @Test func `A photo that the library does not have keeps its unknown outcome`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture()
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try await Self.lose(&requests, node)
      try await node.reply(to: #require(await requests.next()), .assets(.init()))
      #expect(await error?.code == .outcomeUnknown)
      #expect(await error?.message.contains("its library has no photo") == true)
      #expect(await error?.isRetryable == true)
      #expect(await error?.requestID == Identifier(request.id))
      #expect((await error?.cause as? CameraBusError)?.message == "it restarted")
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `A photo that is not kept cannot be looked up`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(.now, PhotoSettings(isKept: false))
      }
      var requests = node.requests.makeAsyncIterator()
      _ = try await Self.lose(&requests, node)
      #expect(await error?.code == .outcomeUnknown)
      #expect(await error?.message.contains("not kept") == true)
      #expect(await error?.isRetryable == false)
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `A library that cannot be asked is the cause of the unknown outcome`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture()
      }
      var requests = node.requests.makeAsyncIterator()
      _ = try await Self.lose(&requests, node)
      let failure = WireError(.storageFailed, "the disk failed")
      try await node.reply(to: #require(await requests.next()), .error(failure))
      #expect(await error?.code == .outcomeUnknown)
      #expect(await error?.isRetryable == false)
      #expect((await error?.cause as? CameraBusError)?.code == .storageFailed)
    }
  }

  // MARK: The node's part

  /// Answers a request for a photo as a node that restarted meanwhile.
  private static func lose(
    _ requests: inout AsyncStream<FakeNode.Incoming>.Iterator, _ node: FakeNode
  ) async throws -> FakeNode.Incoming {
    let incoming = await requests.next(isolation: #isolation)
    let request = try #require(incoming)
    try await node.reply(to: request, .error(WireError(.outcomeUnknown, "it restarted")))
    return request
  }
}
