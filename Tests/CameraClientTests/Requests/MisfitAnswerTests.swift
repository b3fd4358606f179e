import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

/// A node whose answers are well formed and do not fit what was asked. None of them counts as done.
@Suite(.timeLimit(.minutes(5)))
struct MisfitAnswerTests {
  typealias Call = @Sendable (Camera) async throws -> Void
  typealias Answer = @Sendable (WireRequest) -> WireReply.OneOf_Body

  @Test(
    arguments: [
      { _ in .controls(.init()) }, { _ in controls("contrast") },
      { _ in controls("gain", "contrast") }, { _ in controls("gain", "gain") },
    ] as [Answer])
  func `Other controls than those asked for are refused`(answer: @escaping Answer) async throws {
    try await expectMisfit({ _ = try await $0.value(of: "gain") }, answer)
    try await expectMisfit({ _ = try await $0.set("gain", to: 1) }, answer)
  }

  @Test func `A session of another camera, or one that did the opposite, is refused`()
    async throws
  {
    let start: Call = { _ = try await $0.startSession() }
    let stop: Call = { _ = try await $0.stopSession() }
    try await expectMisfit(start) { _ in session("cam", .stopped) }
    try await expectMisfit(stop) { _ in session("cam", .running) }
    try await expectMisfit(start) { _ in session("other", .running) }
    try await expectMisfit(stop) { _ in session("other", .stopped) }
  }

  @Test func `A recording of another camera or another request is refused`() async throws {
    let start: Call = { _ = try await $0.startRecording() }
    try await expectMisfit(start) { request in started("other", request.id) }
    try await expectMisfit(start) { _ in started("cam", RequestID.random().data) }
  }

  @Test func `A movie of another recording or another camera is refused`() async throws {
    let id = RequestID.random()
    let stop: Call = { _ = try await $0.stopRecording(Identifier(id)) }
    try await expectMisfit(stop) { _ in stopped(RequestID.random().data, "cam") }
    try await expectMisfit(stop) { _ in stopped(id.data, "other") }
    try await expectMisfit(stop) { _ in .record(.init()) }
  }

  @Test(
    arguments: [
      { $0.requestID = RequestID.random().data }, { $0.camera = "other" },
      { $0.sha256 = Data(repeating: 1, count: 32) }, { $0.id = Data() },
    ] as [@Sendable (inout WireAsset) -> Void])
  func `A photo whose asset is another one is refused`(
    change: @escaping @Sendable (inout WireAsset) -> Void
  ) async throws {
    try await expectMisfit({ _ = try await $0.capture() }) { request in
      var asset = WireAsset.asset([1, 2, 3], for: request.id)
      let sha256 = asset.sha256
      change(&asset)
      return .capture(
        .with {
          $0.asset = asset
          $0.sha256 = sha256
        })
    }
  }

  @Test func `A photo that is longer than any memory is refused`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").capture()
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      var asset = WireAsset.asset([1], for: request.request.id)
      asset.byteCount = 1 << 62
      let result = WireCaptureResult.with { [asset] in
        $0.asset = asset
        $0.sha256 = asset.sha256
      }
      try await node.reply(to: request, .capture(result))
      #expect(await error?.code == .tooLarge)
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `Assets of another id or another request are refused`() async throws {
    let answer: Answer = { _ in .assets(.with { $0.assets = [.asset([1])] }) }
    let id = Identifier(RequestID.random())
    try await expectMisfit({ _ = try await $0.bus.asset(id) }, answer)
    try await expectMisfit(
      { _ = try await $0.bus.assets(AssetFilter(requestID: id)) }, answer)
  }

  // MARK: The node's part

  private func expectMisfit(_ call: @escaping Call, _ answer: @escaping Answer) async throws {
    try await withFakeNode { node, bus in
      let camera = try bus.camera("cam")
      async let failure = error(of: call, camera)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, answer(request.request))
      #expect(await failure?.code == .protocolViolation)
      #expect(await failure?.message.contains("does not fit the request") == true)
    }
  }

  private func error(of call: Call, _ camera: Camera) async -> CameraBusError? {
    do {
      try await call(camera)
      return nil
    } catch {
      return error as? CameraBusError
    }
  }
}

private func controls(_ ids: String...) -> WireReply.OneOf_Body {
  .controls(.with { $0.controls = ids.map { id in .with { $0.id = id } } })
}

private func session(_ camera: String, _ state: WireSessionState) -> WireReply.OneOf_Body {
  .session(
    .with {
      $0.name = camera
      $0.state = state
    })
}

private func started(_ camera: String, _ id: Data) -> WireReply.OneOf_Body {
  .recordStarted(
    .with {
      $0.camera = camera
      $0.recording = id
    })
}

private func stopped(_ id: Data, _ camera: String) -> WireReply.OneOf_Body {
  .record(
    .with {
      $0.recording = id
      $0.asset = .asset([1, 2, 3], for: id)
      $0.asset.camera = camera
    })
}
