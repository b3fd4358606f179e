import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

/// Photos that are finished with a proxy, and what the library and the status say of them.
@Suite(.timeLimit(.minutes(5)))
struct DeferredPhotoTests {
  private static let picture: [UInt8] = [0xff, 0xd8, 4, 0xff, 0xd9]
  private static let settings = PhotoSettings([.dng, .heic], isDeferred: true)

  @Test func `A deferred photo of several files is finished with one, its proxy`() async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").captureSteps(.now, Self.settings)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.capture.deferred)
      #expect(request.request.capture.outputs.map(\.format) == [.dng, .heic])
      #expect(request.request.capture.inlineLimit > 0)
      let begin = WireCaptureProgress.with {
        $0.step = .willBegin
        $0.settings.deferred = true
      }
      let process = WireCaptureProgress.with {
        $0.step = .didProcess
        $0.proxy = true
      }
      try await node.reply(to: request, .captureProgress(begin), isFinal: false)
      try await node.reply(
        to: request, .captureProgress(process), index: 2, isFinal: false, attachment: Self.picture)
      let result = Self.result(.proxy(Self.picture, for: request.request.id))
      try await node.reply(to: request, .capture(result), index: 3)
      var iterator = steps.makeAsyncIterator()
      guard case .willBegin(let settings) = try await iterator.next(),
        case .didProcess(_, let file) = try await iterator.next(),
        case .didFinish(let photo) = try await iterator.next()
      else {
        Issue.record("the steps are others")
        return
      }
      #expect(settings.isDeferred)
      #expect(file.isProxy)
      #expect(photo.isProxy)
      #expect(photo.files.count == 1)
      #expect(photo.data == Self.picture)
      #expect(photo.asset?.deferral == .pending)
    }
  }

  @Test(arguments: [true, false])
  func `A proxy where none was asked for, or none where one was, is refused`(
    isDeferred: Bool
  ) async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(.now, PhotoSettings(isDeferred: isDeferred))
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let id = request.request.id
      let asset: WireAsset =
        isDeferred ? .asset(Self.picture, for: id) : .proxy(Self.picture, for: id)
      try await node.reply(to: request, .capture(Self.result(asset)))
      #expect(await error?.code == .protocolViolation)
      #expect(await error?.message.contains("does not fit the request") == true)
    }
  }

  @Test func `A lost proxy is found in the library, beside the files that were made meanwhile`()
    async throws
  {
    try await withFakeNode { node, bus in
      async let photo = bus.camera("cam").capture(.now, Self.settings)
      var requests = node.requests.makeAsyncIterator()
      let question = try await Self.lose(&requests, node)
      let id = question.request.assets.requestID
      var proxy = WireAsset.proxy(Self.picture, for: id)
      proxy.deferral = .done
      let finals = [WireAsset.final([1], of: proxy), .final([2], of: proxy)]
      try await node.reply(
        to: question, .assets(.with { [proxy] in $0.assets = finals + [proxy] }))
      let download = try #require(await requests.next())
      #expect(download.request.download.asset == proxy.id)
      try await node.chunk(Self.picture[...], of: Self.picture.count, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
      #expect(try await photo.data == Self.picture)
      #expect(try await photo.isProxy)
      #expect(try await photo.files.count == 1)
    }
  }

  @Test func `A lost photo whose proxy is gone is none of its final files`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture(.now, Self.settings)
      }
      var requests = node.requests.makeAsyncIterator()
      let question = try await Self.lose(&requests, node)
      let proxy = WireAsset.proxy(Self.picture, for: question.request.assets.requestID)
      let final = WireAsset.final([1], of: proxy)
      try await node.reply(to: question, .assets(.with { $0.assets = [final] }))
      #expect(await error?.code == .outcomeUnknown)
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `A deferral that this client does not know is that of a proxy`() throws {
    var wire = WireAsset.asset([1])
    #expect(Asset(wire)?.deferral == nil)
    #expect(Asset(wire)?.isProxy == false)
    wire.deferral = try #require(WireDeferral(rawValue: 99))
    #expect(Asset(wire)?.deferral == .unknown)
    #expect(Asset(wire)?.isProxy == true)
  }

  @Test func `An asset is the same after a journey as JSON`() throws {
    let proxy = WireAsset.proxy([1], for: RequestID.random().data)
    for wire in [proxy, .final([2], of: proxy), .asset([3])] {
      let asset = try #require(Asset(wire))
      let json = try JSONEncoder().encode(asset)
      #expect(try JSONDecoder().decode(Asset.self, from: json) == asset)
      #expect(asset.replaces?.bytes ?? [] == Array(wire.replaces))
    }
  }

  @Test func `Proxies are listed by what has become of them`() async throws {
    try await withFakeNode { node, bus in
      async let listed = bus.assets(AssetFilter(deferral: .failed))
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.assets.deferral == .failed)
      var proxy = WireAsset.proxy([1])
      proxy.deferral = .failed
      try await node.reply(to: request, .assets(.with { [proxy] in $0.assets = [proxy] }))
      #expect(try await listed.map(\.deferral) == [.failed])
    }
  }

  @Test func `A list with assets of another deferral is refused, and so is an unknown one`()
    async throws
  {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.assets(AssetFilter(deferral: .done))
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, .assets(.with { $0.assets = [.asset([1])] }))
      #expect(await error?.code == .protocolViolation)
      let unknown = await failure { () throws(CameraBusError) in
        _ = try await bus.assets(AssetFilter(deferral: .unknown))
      }
      #expect(unknown?.code == .invalidArgument)
      #expect(unknown?.field == "deferral")
      try await node.expectNoRequest(&requests, bus)
    }
  }

  // MARK: The node's part

  private static func result(_ asset: WireAsset) -> WireCaptureResult {
    .with {
      $0.asset = asset
      $0.sha256 = asset.sha256
      $0.byteCount = asset.byteCount
    }
  }

  /// Answers a request for a photo as a node that restarted meanwhile.
  /// - Returns: The question to the library.
  private static func lose(
    _ requests: inout AsyncStream<FakeNode.Incoming>.Iterator, _ node: FakeNode
  ) async throws -> FakeNode.Incoming {
    let incoming = await requests.next(isolation: #isolation)
    let request = try #require(incoming)
    try await node.reply(to: request, .error(WireError(.outcomeUnknown, "it restarted")))
    let question = await requests.next(isolation: #isolation)
    return try #require(question)
  }
}

extension WireAsset {
  /// A proxy whose final files are still to be made.
  static func proxy(_ bytes: [UInt8], for requestID: Data = RequestID.random().data) -> WireAsset {
    var proxy = asset(bytes, for: requestID)
    proxy.deferral = .pending
    return proxy
  }

  /// A file of the final photo.
  static func final(_ bytes: [UInt8], of proxy: WireAsset) -> WireAsset {
    var final = asset(bytes, for: proxy.requestID)
    final.replaces = proxy.id
    return final
  }
}
