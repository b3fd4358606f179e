import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing
import ZeroMQ

/// What `CameraBus.finalPhoto` makes of events, restarts and the library.
@Suite(.timeLimit(.minutes(5)))
struct FinalPhotoTests {
  private static let topic = Topic.event(camera: "cam", kind: .deferred)
  private static let files: [[UInt8]] = [[1, 2, 3], [4, 5]]

  private let proxy = WireAsset.proxy([9])
  private var finals: [WireAsset] { Self.files.map { .final($0, of: proxy) } }

  @Test func `Files that are made after the call are told by the event`() async throws {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      try await Self.answerLibrary(&requests, node, proxy)
      try await Self.subscribed(node)
      let other = WireAsset.proxy([8])
      let others = [WireAsset.final([7], of: other)]
      try await node.publish(Self.finished(other, others), on: Self.topic, 1)
      try await node.publish(Self.finished(proxy, finals), on: Self.topic, 2)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.map(\.data) == Self.files)
      #expect(try await photo.requestID.bytes == Array(proxy.requestID))
      #expect(try await photo.resolved?.frameSequence == 8)
      #expect(try await photo.isProxy == false)
    }
  }

  @Test func `An event from before the call is found among those that the node keeps`()
    async throws
  {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      await node.setLastSequence(1, of: Self.topic)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      let replay = try #require(await requests.next())
      try await node.replay(Self.topic, [1], Self.finished(proxy, finals), to: replay)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.map(\.data) == Self.files)
    }
  }

  @Test func `An event that was lost on the way is asked for again`() async throws {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      try await Self.answerLibrary(&requests, node, proxy)
      try await Self.subscribed(node)
      try await node.heartbeat(Self.topic, last: 1)
      let replay = try #require(await requests.next())
      try await node.replay(Self.topic, [1], Self.finished(proxy, finals), to: replay)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.data == Self.files[0])
    }
  }

  @Test
  func `Files whose event is forgotten are found in the library, in the order of their making`()
    async throws
  {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      try await Self.answerLibrary(&requests, node, proxy, .done, finals)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.map(\.data) == Self.files)
      #expect(try await photo.resolved == nil)
    }
  }

  @Test func `Files that are made while the node restarts are found after it`() async throws {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      try await Self.answerLibrary(&requests, node, proxy)
      try await Self.subscribed(node)
      try await node.comeBack(as: .random())
      try await node.heartbeat(Self.topic, last: 0)
      try await Self.answerLibrary(&requests, node, proxy, .done, finals)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.count == 2)
    }
  }

  @Test func `A library that is busy is asked again`() async throws {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      let question = try #require(await requests.next())
      try await node.reply(to: question, .error(WireError(.busy, "later")))
      try await Self.answerLibrary(&requests, node, proxy, .done, finals)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.count == 2)
    }
  }

  @Test func `Files that no event tells of are found in the library all the same`() async throws {
    try await withFakeNode(requestTimeout: .seconds(1)) { node, bus in
      let (proxy, finals) = (proxy, finals)
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      try await Self.answerLibrary(&requests, node, proxy)
      // Silence would be another reason to ask.
      try await node.beat(Self.topic, last: 0)
      try await Self.answerLibrary(&requests, node, proxy)
      try await Self.answerLibrary(&requests, node, proxy, .done, finals)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.count == 2)
    }
  }

  @Test func `A camera that has gone hinders nothing`() async throws {
    try await withFakeNode { node, bus in
      let (proxy, finals) = (proxy, finals)
      await node.setCameras([])
      async let photo = bus.finalPhoto(of: #require(Asset(proxy)))
      var requests = node.requests.makeAsyncIterator()
      try await Self.answerLibrary(&requests, node, proxy)
      try await Self.subscribed(node)
      try await node.publish(Self.finished(proxy, finals), on: Self.topic, 1)
      try await Self.deliver(finals, &requests, node)
      #expect(try await photo.files.count == 2)
    }
  }

  @Test func `The final photo of a picture of a burst keeps its number`() async throws {
    try await withFakeNode { node, bus in
      let steps = try bus.camera("cam").burst(2, PhotoSettings(isDeferred: true))
      var requests = node.requests.makeAsyncIterator()
      let capture = try #require(await requests.next())
      let proxies = Self.files.map { WireAsset.proxy($0, for: capture.request.id) }
      try await node.reply(to: capture, .capture(.with { $0.pictures = proxies.map(Self.picture) }))
      async let taken = Self.photos(steps)
      try await Self.deliver(proxies, &requests, node)
      let photo = try #require(await taken.last)
      async let final = bus.finalPhoto(of: photo)
      try await Self.answerLibrary(&requests, node, proxies[1])
      try await Self.subscribed(node)
      let files = [WireAsset.final(Self.files[0], of: proxies[1])]
      try await node.publish(Self.finished(proxies[1], files), on: Self.topic, 1)
      try await Self.deliver(files, &requests, node)
      #expect(try await final.resolved?.picture == 2)
      let again = try await bus.finalPhoto(of: final)
      #expect(try await again == final, "it is final already")
      try await node.expectNoRequest(&requests, bus)
    }
  }

  private static func photos(_ steps: CaptureSequence) async throws -> [Photo] {
    var photos: [Photo] = []
    for try await case .didFinish(let photo) in steps { photos.append(photo) }
    return photos
  }

  // MARK: The node's part

  /// Answers the questions that `finalPhoto` asks of the library.
  static func answerLibrary(
    _ requests: inout AsyncStream<FakeNode.Incoming>.Iterator, _ node: FakeNode,
    _ proxy: WireAsset, _ deferral: WireDeferral = .pending, _ finals: [WireAsset] = []
  ) async throws {
    let incoming = await requests.next(isolation: #isolation)
    let question = try #require(incoming)
    #expect(question.request.assets.id == proxy.id)
    var proxy = proxy
    proxy.deferral = deferral
    try await node.reply(to: question, .assets(.with { [proxy] in $0.assets = [proxy] }))
    guard deferral == .done else { return }
    let next = await requests.next(isolation: #isolation)
    let list = try #require(next)
    #expect(list.request.assets.requestID == proxy.requestID)
    // Newest first, among those of another picture.
    let other = WireAsset.proxy([7], for: proxy.requestID)
    let all = [other, .final([8], of: other)] + finals.reversed() + [proxy]
    try await node.reply(to: list, .assets(.with { $0.assets = all }))
  }

  private static func deliver(
    _ finals: [WireAsset], _ requests: inout AsyncStream<FakeNode.Incoming>.Iterator,
    _ node: FakeNode
  ) async throws {
    for (final, bytes) in zip(finals, files) {
      let incoming = await requests.next(isolation: #isolation)
      let download = try #require(incoming)
      #expect(download.request.download.asset == final.id)
      try await node.chunk(bytes[...], of: bytes.count, to: download)
      try await node.reply(to: download, .download(.init()), index: 2)
    }
  }

  static func subscribed(_ node: FakeNode) async throws {
    for await change in node.subscriptions where change == Subscription(Array("event/".utf8)) {
      return
    }
  }

  static func finished(_ proxy: WireAsset, _ finals: [WireAsset]) -> WireEvent {
    event(
      proxy,
      .finished(
        .with {
          $0.resolved.frameSequence = 8
          $0.files = finals.map(file)
        }))
  }

  private static func picture(_ proxy: WireAsset) -> WireCapturedPicture {
    .with { $0.files = [file(proxy)] }
  }

  private static func file(_ asset: WireAsset) -> WirePhotoFile {
    .with {
      $0.asset = asset
      $0.sha256 = asset.sha256
      $0.byteCount = asset.byteCount
    }
  }

  static func event(_ proxy: WireAsset, _ body: WireDeferredEvent.OneOf_Body) -> WireEvent {
    .with {
      $0.camera = proxy.camera
      $0.deferred.requestID = proxy.requestID
      $0.deferred.proxy = proxy.id
      $0.deferred.body = body
    }
  }
}
