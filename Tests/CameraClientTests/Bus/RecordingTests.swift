import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing
import ZeroMQ

/// What `Recording.movie()` makes of events, restarts and the library.
@Suite(.timeLimit(.minutes(5)))
struct RecordingTests {
  private static let topic = Topic.event(camera: "cam", kind: .recording)
  private static func asset(of recording: Data) -> WireAsset { .asset([1, 2, 3], for: recording) }

  @Test func `A recording that runs is followed to its end`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      async let movie = recording.movie()
      try await Self.subscribed(node)
      try await node.publish(Self.event(recording, .started(.init())), on: Self.topic, 1)
      let other = Self.finished(RequestID.random().data, .limitReached)
      try await node.publish(other, on: Self.topic, 2)
      try await node.publish(Self.finished(recording, .limitReached), on: Self.topic, 3)
      #expect(try await movie.recordingID == recording.id)
      #expect(try await movie.reason == .limitReached)
      #expect(try await movie.asset.byteCount == 3)
      #expect(try await movie.dropped == 4)
    }
  }

  @Test
  func `A recording that ended before the call is found among the events that the node keeps`()
    async throws
  {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      await node.setLastSequence(1, of: Self.topic)
      let recording = try await Self.start(bus, node, &requests)
      async let movie = recording.movie()
      let replay = try #require(await requests.next())
      try await node.replay(Self.topic, [1], Self.finished(recording, .stopped), to: replay)
      #expect(try await movie.reason == .stopped)
    }
  }

  @Test func `An end whose event was lost on the way is asked for again`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      async let movie = recording.movie()
      try await Self.subscribed(node)
      try await node.heartbeat(Self.topic, last: 1)
      let replay = try #require(await requests.next())
      try await node.replay(Self.topic, [1], Self.finished(recording, .stopped), to: replay)
      #expect(try await movie.reason == .stopped)
    }
  }

  @Test func `A recording whose events are gone is looked up in the library`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests)
      async let movie = recording.movie()
      let question = try #require(await requests.next())
      #expect(Identifier(bytes: question.request.assets.requestID) == recording.id)
      let asset = Self.asset(of: Data(recording.id.bytes))
      try await node.reply(to: question, .assets(.with { $0.assets = [asset] }))
      #expect(try await movie.asset.byteCount == 3)
      #expect(try await movie.reason == nil)
      #expect(try await movie.dropped == nil)
    }
  }

  @Test func `A recovered movie that only the library knows was ended by the node's death`()
    async throws
  {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests)
      async let movie = recording.movie()
      var asset = Self.asset(of: Data(recording.id.bytes))
      asset.recovered = true
      try await node.reply(
        to: #require(await requests.next()), .assets(.with { $0.assets = [asset] }))
      #expect(try await movie.reason == .nodeKilled)
    }
  }

  @Test func `A recording that nobody knows any more has an unknown outcome`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests)
      async let error = failure { () throws(CameraBusError) in _ = try await recording.movie() }
      for _ in 0..<2 {
        try await node.reply(to: #require(await requests.next()), .assets(.init()))
      }
      #expect(await error?.code == .outcomeUnknown)
      #expect(await error?.requestID == recording.id)
    }
  }

  @Test func `The movie that a killed node closes at its next start is returned`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      async let movie = recording.movie()
      try await Self.subscribed(node)
      try await node.comeBack(
        as: .random(), cameras: [.camera("cam", .ready)], lastSequences: [Self.topic: 1])
      try await node.heartbeat(Self.topic, last: 1)
      let replay = try #require(await requests.next())
      #expect(replay.request.replay.ranges.map(\.last) == [1])
      try await node.replay(Self.topic, [1], Self.finished(recording, .nodeKilled), to: replay)
      #expect(try await movie.reason == .nodeKilled)
    }
  }

  @Test func `A library that cannot answer yet is waited for`() async throws {
    try await withFakeNode(requestTimeout: .seconds(1)) { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests)
      async let movie = recording.movie()
      // It is asked twice under one id, because the first question may be lost, and answers
      // neither.
      let first = try #require(await requests.next())
      #expect(try #require(await requests.next()).id == first.id)
      try await node.publish(Self.finished(recording, .nodeKilled), on: Self.topic, 1)
      #expect(try await movie.reason == .nodeKilled)
    }
  }

  @Test func `A recording without a movie throws the node's reason`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      async let error = failure { () throws(CameraBusError) in _ = try await recording.movie() }
      try await Self.subscribed(node)
      let reason = WireError(.storageFull, "make room")
      try await node.publish(Self.event(recording, .failed(reason)), on: Self.topic, 1)
      #expect(await error?.code == .storageFull)
      #expect(await error?.message == "make room")
    }
  }

  @Test func `An end without a movie is a failure, whatever the node calls it`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      async let error = failure { () throws(CameraBusError) in _ = try await recording.movie() }
      try await Self.subscribed(node)
      let result = WireRecordResult.with { $0.recording = Data(recording.id.bytes) }
      try await node.publish(Self.event(recording, .finished(result)), on: Self.topic, 1)
      #expect(await error?.code == .frameUnavailable)
    }
  }

  @Test func `Stopping a recording that has ended returns its movie`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests)
      async let movie = recording.stop()
      let stop = try #require(await requests.next())
      #expect(stop.request.recordStop.recording == Data(recording.id.bytes))
      try await node.reply(to: stop, .error(WireError(.conflict, "it has ended")))
      let question = try #require(await requests.next())
      let asset = Self.asset(of: Data(recording.id.bytes))
      try await node.reply(to: question, .assets(.with { $0.assets = [asset] }))
      #expect(try await movie.recordingID == recording.id)
    }
  }

  @Test func `A task that is cancelled waits for no movie`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      let waiting = Task {
        await failure { () throws(CameraBusError) in _ = try await recording.movie() }
      }
      try await Self.subscribed(node)
      waiting.cancel()
      #expect(await waiting.value?.code == .cancelled)
    }
  }

  @Test func `A movie that waits for a node that is gone ends when the connection closes`()
    async throws
  {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let recording = try await Self.start(bus, node, &requests, isRunning: true)
      async let error = failure { () throws(CameraBusError) in _ = try await recording.movie() }
      try await Self.subscribed(node)
      await node.close()
      await bus.close()
      #expect(await error?.code == .closed)
    }
  }

  // MARK: The node's part

  private static func start(
    _ bus: CameraBus,
    _ node: FakeNode,
    _ requests: inout AsyncStream<FakeNode.Incoming>.Iterator,
    isRunning: Bool = false
  ) async throws -> Recording {
    async let recording = bus.camera("cam").startRecording()
    let incoming = await requests.next(isolation: #isolation)
    let request = try #require(incoming)
    if isRunning {
      var camera = WireCameraStatus.camera("cam", .ready)
      camera.recording.requestID = request.request.id
      await node.setCameras([camera])
    }
    let started = WireRecordStarted.with {
      $0.camera = "cam"
      $0.recording = request.request.id
    }
    try await node.reply(to: request, .recordStarted(started))
    return try await recording
  }

  private static func subscribed(_ node: FakeNode) async throws {
    for await change in node.subscriptions where change == Subscription(Array(topic.name.utf8)) {
      return
    }
  }

  private static func finished(
    _ recording: Recording, _ reason: WireRecordResult.EndReason
  ) -> WireEvent {
    finished(Data(recording.id.bytes), reason)
  }

  private static func finished(_ id: Data, _ reason: WireRecordResult.EndReason) -> WireEvent {
    event(
      id,
      .finished(
        .with {
          $0.recording = id
          $0.asset = asset(of: id)
          $0.frames = 10
          $0.dropped = 4
          $0.reason = reason
        }
      )
    )
  }

  private static func event(
    _ recording: Recording, _ body: WireRecordEvent.OneOf_Body
  ) -> WireEvent {
    event(Data(recording.id.bytes), body)
  }

  private static func event(_ id: Data, _ body: WireRecordEvent.OneOf_Body) -> WireEvent {
    .with {
      $0.camera = "cam"
      $0.recording.requestID = id
      $0.recording.body = body
    }
  }
}
