import CameraClient
import CameraProtocol
import EventLoop
import SwiftProtobuf
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct FrameTests {
  private static let topic = Topic.frame(camera: "cam", stream: .preview)

  @Test func `A frame comes with its bytes and the times of its way`() async throws {
    try await withFakeNode { node, bus in
      var frames = try bus.camera("cam").frames().makeAsyncIterator()
      try await Self.subscribed(to: Self.topic, node)
      try await node.publishFrame(Self.frame(3), [1, 2, 3], on: Self.topic, 1)
      let frame = try #require(try await frames.next())
      #expect(frame.sequence == 3)
      #expect(frame.bytes == [1, 2, 3])
      #expect(frame.withBytes { $0.byteCount } == 3)
      #expect(frame.size == FrameSize(width: 64, height: 48))
      #expect(frame.exposure.earliestStart.nanoseconds == 60)
      #expect(frame.exposure.latestEnd.nanoseconds == 105)
      #expect(frame.exposure.duration == .nanoseconds(8))
      #expect(frame.exposure.timestampMark == .arrival)
      #expect(frame.stages.capture == .nanoseconds(10))
      #expect(frame.stages.copy == .nanoseconds(5))
      #expect(frame.stages.encodeWait == .nanoseconds(7))
      #expect(frame.stages.encode == .nanoseconds(20))
      #expect(frame.stages.transport > .zero)
    }
  }

  @Test func `A second reader of a stream is refused until the first one is gone`() async throws {
    try await withFakeNode { node, bus in
      let frames = try bus.camera("cam").frames()
      var first: FrameSequence.Iterator? = frames.makeAsyncIterator()
      var second = frames.makeAsyncIterator()
      try await Self.subscribed(to: Self.topic, node)
      try await node.publishFrame(Self.frame(3), [1], on: Self.topic, 1)
      #expect(try await first?.next()?.sequence == 3)
      let error = await failure { () throws(CameraBusError) in _ = try await second.next() }
      #expect(error?.code == .conflict)
      first = nil
      try await node.publishFrame(Self.frame(4), [1], on: Self.topic, 2)
      #expect(try await second.next()?.sequence == 4)
    }
  }

  @Test func `A stream that the node refuses fails with the reason, and waits for others`()
    async throws
  {
    try await withFakeNode { node, bus in
      var preview = try bus.camera("cam").frames().makeAsyncIterator()
      try await Self.subscribed(to: Self.topic, node)
      // The stream may get frames later, so its reader waits.
      try await node.heartbeat(Self.topic, last: 0)
      while await node.statusRequests < 3 { await Task.yield() }
      try await node.publishFrame(Self.frame(3), [1], on: Self.topic, 1)
      #expect(try await preview.next()?.sequence == 3)
      var camera = WireCameraStatus.camera("cam", .notReadyUnsupportedFormat)
      camera.streams = ["full", "preview"].map { name in
        .with {
          $0.name = name
          if name == "preview" { $0.error = WireError(.unsupportedFormat, "subscribe to raw") }
        }
      }
      await node.setCameras([camera])
      try await node.beat(Self.topic, last: 1)
      let error = await failure { () throws(CameraBusError) in _ = try await preview.next() }
      #expect(error?.code == .unsupportedFormat)
      #expect(error?.message == "subscribe to raw")
    }
  }

  @Test func `A reader waits for a stream that is switched off until it is on again`()
    async throws
  {
    try await withFakeNode { node, bus in
      var preview = try bus.camera("cam").frames().makeAsyncIterator()
      try await Self.subscribed(to: Self.topic, node)
      var camera = WireCameraStatus.camera("cam", .ready)
      camera.streams = [
        .with {
          $0.name = "preview"
          $0.error = WireError(.conflict, "it is switched off")
        }
      ]
      await node.setCameras([camera])
      let asked = await node.statusRequests
      try await node.beat(Self.topic, last: 0)
      // The reader asks again, because the first answer has not ended it.
      while await node.statusRequests < asked + 2 { await Task.yield() }
      try await node.publishFrame(Self.frame(3), [1], on: Self.topic, 1)
      #expect(try await preview.next()?.sequence == 3)
    }
  }

  @Test func `The newest frames win, and the others are counted`() async throws {
    try await withFakeNode { node, bus in
      let sequence = try bus.camera("cam").frames(policy: .newest(2))
      try await Self.subscribed(to: Self.topic, node)
      for number in 1...60 as ClosedRange<UInt64> {
        try await node.publishFrame(Self.frame(number), [0], on: Self.topic, number)
      }
      var taken: [UInt64] = []
      for try await frame in sequence {
        taken.append(frame.sequence)
        if frame.sequence == 60 { break }
      }
      #expect(taken == taken.sorted())
      #expect(UInt64(taken.count) + sequence.losses.droppedByClient == 60)
      #expect(sequence.losses.lostOnBus == 0)
    }
  }

  @Test func `Frames that were published and did not come are counted as lost on the bus`()
    async throws
  {
    try await withFakeNode { node, bus in
      let sequence = try bus.camera("cam").frames(policy: .newest(8))
      var frames = sequence.makeAsyncIterator()
      try await Self.subscribed(to: Self.topic, node)
      for (frame, number) in [(10, 1), (13, 3)] as [(UInt64, UInt64)] {
        try await node.publishFrame(Self.frame(frame), [0], on: Self.topic, number)
        _ = try await frames.next()
      }
      #expect(sequence.losses.lostOnBus == 1)
      #expect(sequence.losses.notPublished == 1)
    }
  }

  @Test func `Frames go on after a restart of the node at other endpoints`() async throws {
    try await withFakeNode { node, bus in
      let sequence = try bus.camera("cam").frames(policy: .newest(8))
      var frames = sequence.makeAsyncIterator()
      try await Self.subscribed(to: Self.topic, node)
      try await node.publishFrame(Self.frame(10), [0], on: Self.topic, 10)
      #expect(try await frames.next()?.sequence == 10)
      try await node.move()
      try await Self.subscribed(to: Self.topic, node)
      // The numbers start again with the node, so nothing is lost.
      try await node.publishFrame(Self.frame(40), [0], on: Self.topic, 2)
      #expect(try await frames.next()?.sequence == 40)
      try await node.publishFrame(Self.frame(42), [0], on: Self.topic, 4)
      #expect(try await frames.next()?.sequence == 42)
      #expect(sequence.losses.lostOnBus == 1)
      #expect(sequence.losses.total == 1)
    }
  }

  @Test func `A reader that stops is unsubscribed at the node`() async throws {
    try await withFakeNode { node, bus in
      let reader = Task {
        for try await _ in try bus.camera("cam").frames() {}
      }
      var subscriptions = node.subscriptions.makeAsyncIterator()
      let name = Array(Self.topic.name.utf8)
      while let change = await subscriptions.next(), change != Subscription(name) {}
      reader.cancel()
      while let change = await subscriptions.next(),
        change != Subscription(name, isBeginning: false)
      {}
      try await reader.value
    }
  }

  @Test func `A reader on the connection's own thread gets every frame, and the end`() async throws
  {
    try await withFakeNode { node, bus in
      let reader = Task(executorPreference: bus.executor) {
        var taken: [UInt64] = []
        do {
          for try await frame in try bus.camera("cam").frames(policy: .newest(8)) {
            taken.append(frame.sequence)
            if taken.count == 5 { await bus.close() }
          }
        } catch {
          #expect((error as? CameraBusError)?.code == .closed)
        }
        return taken
      }
      try await Self.subscribed(to: Self.topic, node)
      for number in 1...5 as ClosedRange<UInt64> {
        try await node.publishFrame(Self.frame(number), [0], on: Self.topic, number)
      }
      #expect(await reader.value == [1, 2, 3, 4, 5])
    }
  }

  @Test func `A sequence that is released unread is unsubscribed`() async throws {
    try await withFakeNode { node, bus in
      var subscriptions = node.subscriptions.makeAsyncIterator()
      let name = Array(Self.topic.name.utf8)
      var sequence: FrameSequence? = try bus.camera("cam").frames()
      while let change = await subscriptions.next(), change != Subscription(name) {}
      #expect(sequence?.losses.total == 0)
      sequence = nil
      while let change = await subscriptions.next(),
        change != Subscription(name, isBeginning: false)
      {}
    }
  }

  @Test func `Frames of a camera that does not exist fail`() async throws {
    try await withFakeNode { _, bus in
      let error = await failure { () throws(CameraBusError) in
        for try await _ in try bus.camera("front").frames() {}
      }
      #expect(error?.code == .noSuchCamera)
    }
  }

  private static func frame(_ sequence: UInt64) -> WireFrameHeader {
    .with {
      $0.frameSequence = sequence
      $0.timestamp.monotonicNs = 100
      $0.timestampMark = .arrival
      $0.earliestStartNs = 60
      $0.latestEndNs = 105
      $0.exposureNs = 8
      $0.size.width = 64
      $0.size.height = 48
      $0.pixelFormat = "JPEG"
      $0.dequeuedNs = 110
      $0.copiedNs = 115
      $0.encodeStartedNs = 122
      $0.encodeFinishedNs = 142
    }
  }

  private static func subscribed(to topic: Topic, _ node: FakeNode) async throws {
    for await change in node.subscriptions where change == Subscription(Array(topic.name.utf8)) {
      return
    }
  }
}
