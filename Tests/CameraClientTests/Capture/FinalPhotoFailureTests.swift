import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

/// Why `CameraBus.finalPhoto` ends without a photo.
@Suite(.timeLimit(.minutes(5)))
struct FinalPhotoFailureTests {
  private static let topic = Topic.event(camera: "cam", kind: .deferred)
  private let proxy = WireAsset.proxy([9])

  @Test func `The event of a failure is thrown`() async throws {
    let failed = FinalPhotoTests.event(
      proxy, .failed(WireError(.encodingFailed, "it was too dark")))
    let requestID = Identifier(bytes: proxy.requestID)
    try await expect(after: failed) { error in
      #expect(error?.code == .encodingFailed)
      #expect(error?.message == "it was too dark")
      #expect(error?.requestID == requestID)
    }
  }

  @Test func `A failure whose event is forgotten is told by the library`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy, .failed)
      #expect(await error?.code == .encodingFailed)
      #expect(await error?.message.contains("the proxy is all there is") == true)
    }
  }

  @Test func `A deleted proxy has no final photo`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await node.reply(to: #require(await requests.next()), .assets(.init()))
      #expect(await error?.code == .noSuchAsset)
      #expect(await error?.message.contains("was deleted") == true)
    }
  }

  @Test func `A proxy that is deleted while this waits is told`() async throws {
    try await withFakeNode(requestTimeout: .seconds(1)) { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy)
      try await node.beat(Self.topic, last: 0)
      try await node.reply(to: #require(await requests.next()), .assets(.init()))
      #expect(await error?.code == .noSuchAsset)
    }
  }

  @Test func `A final photo that was deleted is told`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy, .done)
      #expect(await error?.code == .noSuchAsset)
      #expect(await error?.message.contains("made and deleted") == true)
    }
  }

  @Test(
    arguments: [
      { $0.requestID = RequestID.random().data }, { $0.camera = "other" },
      { $0.replaces = RequestID.random().data }, { $0.replaces = Data() },
      { $0.deferral = .done }, { $0.id = Data() },
    ] as [@Sendable (inout WireAsset) -> Void])
  func `Files that are not the proxy's are refused`(
    change: @escaping @Sendable (inout WireAsset) -> Void
  ) async throws {
    var final = WireAsset.final([1], of: proxy)
    change(&final)
    try await expect(after: FinalPhotoTests.finished(proxy, [final])) { error in
      #expect(error?.code == .protocolViolation)
    }
  }

  @Test func `The same file twice, none, and the event of another request are refused`()
    async throws
  {
    let final = WireAsset.final([1], of: proxy)
    var other = FinalPhotoTests.finished(proxy, [final])
    other.deferred.requestID = RequestID.random().data
    for event in [
      FinalPhotoTests.finished(proxy, [final, final]), FinalPhotoTests.finished(proxy, []), other,
    ] {
      try await expect(after: event) { #expect($0?.code == .protocolViolation) }
    }
  }

  @Test func `Files of another camera in the library are refused`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      var final = WireAsset.final([1], of: proxy)
      final.camera = "other"
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy, .done, [final])
      #expect(await error?.code == .protocolViolation)
    }
  }

  @Test func `An asset that is a proxy no more is refused`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy, .unspecified)
      #expect(await error?.code == .protocolViolation)
    }
  }

  @Test func `Bytes that are not those of the final file are refused`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy)
      try await FinalPhotoTests.subscribed(node)
      var final = WireAsset.final([1, 2], of: proxy)
      final.sha256 = Data(repeating: 7, count: 32)
      try await node.publish(FinalPhotoTests.finished(proxy, [final]), on: Self.topic, 1)
      let download = try #require(await requests.next())
      try await node.chunk([1, 2], of: 2, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
      #expect(await error?.code == .hashMismatch)
    }
  }

  @Test func `A photo that is not made in time is told, and may be asked for again`() async throws {
    try await withFakeNode { node, bus in
      let proxy = try #require(Asset(proxy))
      let error = await failure { () throws(CameraBusError) in
        _ = try await bus.finalPhoto(of: proxy, timeout: .milliseconds(50))
      }
      #expect(error?.code == .timedOut)
      #expect(error?.isRetryable == true)
      #expect(error?.requestID == proxy.requestID)
    }
  }

  @Test func `A task that is cancelled waits for no photo`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      var requests = node.requests.makeAsyncIterator()
      for timeout in [nil, Duration.seconds(600)] {
        let waiting = Task { await Self.error(of: proxy, bus, timeout: timeout) }
        try await FinalPhotoTests.answerLibrary(&requests, node, proxy)
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
      }
    }
  }

  @Test func `Waiting for a node that is gone ends when the connection closes`() async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let error = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy)
      await node.close()
      await bus.close()
      #expect(await error?.code == .closed)
    }
  }

  @Test func `What cannot be waited for is refused before anything is sent`() async throws {
    try await withFakeNode { node, bus in
      let (proxy, other) = (try #require(Asset(proxy)), try #require(Asset(.asset([1]))))
      for (asset, timeout, field) in [(other, nil, "proxy"), (proxy, .zero, "timeout")]
        as [(Asset, Duration?, String)]
      {
        let error = await failure { () throws(CameraBusError) in
          _ = try await bus.finalPhoto(of: asset, timeout: timeout)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == field)
      }
      var requests = node.requests.makeAsyncIterator()
      try await node.expectNoRequest(&requests, bus)
    }
  }

  // MARK: The node's part

  /// Checks why waiting for a photo ends with this event.
  private func expect(
    after event: WireEvent, _ check: @escaping @Sendable (CameraBusError?) -> Void
  ) async throws {
    try await withFakeNode { node, bus in
      let proxy = proxy
      async let failure = Self.error(of: proxy, bus)
      var requests = node.requests.makeAsyncIterator()
      try await FinalPhotoTests.answerLibrary(&requests, node, proxy)
      try await FinalPhotoTests.subscribed(node)
      try await node.publish(event, on: Self.topic, 1)
      await check(failure)
    }
  }

  private static func error(
    of proxy: WireAsset, _ bus: CameraBus, timeout: Duration? = nil
  ) async -> CameraBusError? {
    await failure { () throws(CameraBusError) in
      guard let proxy = Asset(proxy) else { return }
      _ = try await bus.finalPhoto(of: proxy, timeout: timeout)
    }
  }
}
