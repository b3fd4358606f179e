import CameraClient
import CameraProtocol
import Foundation
import OperatingSystem
import SwiftProtobuf
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
  @Test func `The status comes with the node's epoch and cameras`() async throws {
    try await withFakeNode { node, bus in
      let status = try await bus.status()
      #expect(status.name == "fake")
      let epoch = await node.epoch
      #expect(status.epoch.bytes == epoch.bytes)
      #expect(status.cameras.map(\.name) == ["cam"])
      #expect(status.cameras.map(\.readiness) == [.ready])
      #expect(try await bus.camera().name == "cam")
    }
  }

  @Test func `A node with several cameras needs a camera's name`() async throws {
    try await withFakeNode { node, bus in
      await node.setCameras([.camera("left", .ready), .camera("right", .ready)])
      let error = await failure { () throws(CameraBusError) in _ = try await bus.camera() }
      #expect(error?.code == .noSuchCamera)
      #expect(error?.message.contains("left, right") == true)
    }
  }

  @Test func `An error ends a request once, even if the node says that more follows`() async throws
  {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").formats()
      }
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(to: request, .error(WireError(.conflict, "no")), isFinal: false)
      try await node.reply(to: request, .formats(.init()), index: 2)
      #expect(await error?.code == .conflict)
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `Where nothing listens, the error says what to check`() async throws {
    let port = try SilentPort()
    let endpoint = port.endpoint
    let bus = try CameraBus(endpoint, configuration: .init(connectTimeout: .milliseconds(100)))
    let error = await failure { () throws(CameraBusError) in _ = try await bus.status() }
    #expect(error?.code == .unreachable)
    #expect(error?.isRetryable == true)
    #expect(error?.message.contains(endpoint) == true)
    #expect(error?.message.contains("is camerad running") == true)
    await bus.close()
    withExtendedLifetime(port) {}
  }

  @Test func `The error names an endpoint that belongs to no node's control`() async throws {
    try await withFakeNode { _, other in
      let frames = try await other.status().framesEndpoint
      let bus = try CameraBus(frames, configuration: .init(connectTimeout: .seconds(1)))
      let error = await failure { () throws(CameraBusError) in _ = try await bus.status() }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("no camera node") == true)
      await bus.close()
    }
  }

  @Test func `A silent node is asked twice under one id before the request times out`() async throws
  {
    try await withFakeNode(requestTimeout: .milliseconds(300)) { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").startSession()
      }
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      let second = try #require(await requests.next())
      #expect(first.id == second.id)
      #expect(first.request.epoch.isEmpty)
      let epoch = await node.epoch
      #expect(second.request.epoch == epoch.data)
      #expect(second.request.remainingNs < first.request.remainingNs)
      #expect(await error?.code == .timedOut)
    }
  }

  @Test
  func `A request is repeated after a broken connection, for the same start of the node only`()
    async throws
  {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").startRecording()
      }
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      let epoch = await node.epoch
      try await node.comeBack(as: Epoch.random())
      let again = try #require(await requests.next())
      #expect(again.id == first.id)
      #expect(again.request.body == first.request.body)
      #expect(again.request.epoch == epoch.data)
      try await node.reply(
        to: again, .error(WireError(.outcomeUnknown, "look before you repeat it")))
      #expect(await error?.code == .outcomeUnknown)
    }
  }

  @Test func `A connection that dies silently is replaced`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").startRecording()
      }
      var requests = node.requests.makeAsyncIterator()
      let first = try #require(await requests.next())
      await node.goDeaf(to: first.client)
      let again = try #require(await requests.next())
      #expect(again.client != first.client)
      #expect(again.id == first.id)
      let epoch = await node.epoch
      #expect(again.request.epoch == epoch.data)
      try await node.reply(to: again, .error(WireError(.storageFull, "make room")))
      #expect(await error?.code == .storageFull)
      #expect(await error?.requestID == Identifier(first.id))
    }
  }

  @Test func `Messages that cannot be read are ignored`() async throws {
    try await withFakeNode { node, bus in
      async let formats = bus.camera("cam").formats()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let client = request.client
      try await node.send([[]], to: client)
      try await node.send([[1, 2, 3]], to: client)
      try await node.send([Framing.signature], to: client)
      try await node.send([Framing.signature, [255, 255, 255]], to: client)
      try await node.send([[UInt8]](repeating: Framing.signature, count: 70), to: client)
      var stranger = request
      stranger.request.id = RequestID.random().data
      try await node.reply(to: stranger, .formats(.init()))
      try await node.reply(
        to: request, .formats(.with { $0.formats = [.with { $0.pixelFormat = "YUYV" }] }))
      #expect(try await formats.map(\.pixelFormat) == ["YUYV"])
    }
  }

  @Test func `An answer of the wrong kind breaks the protocol`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").formats()
      }
      var requests = node.requests.makeAsyncIterator()
      try await node.reply(to: #require(await requests.next()), .assets(.init()))
      #expect(await error?.code == .protocolViolation)
    }
  }

  @Test func `Closing ends requests and sequences, and later ones fail`() async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        _ = try await bus.camera("cam").formats()
      }
      var requests = node.requests.makeAsyncIterator()
      _ = await requests.next()
      await bus.close()
      #expect(await error?.code == .closed)
      let later = await failure { () throws(CameraBusError) in _ = try await bus.status() }
      #expect(later?.code == .closed)
      let camera = try bus.camera("cam")
      #expect(camera.readiness == nil)
      let frames = await failure { () throws(CameraBusError) in
        for try await _ in try bus.camera("cam").frames() {}
      }
      #expect(frames?.code == .closed)
      let events = await failure { () throws(CameraBusError) in for try await _ in bus.events() {} }
      #expect(events?.code == .closed)
    }
  }

  @Test func `A connection that is released ends by itself, whatever it did last`() async throws {
    try await withFakeNode { node, _ in
      let endpoint = await node.control
      var requests = node.requests.makeAsyncIterator()
      for _ in 1...50 {
        async let error = failure { () throws(CameraBusError) in
          _ = try await CameraBus(endpoint).camera("cam").capture()
        }
        let request = try #require(await requests.next())
        try await node.reply(to: request, .error(WireError(.notRunning, "start it")))
        #expect(await error?.code == .notRunning)
      }
    }
  }

  @Test func `Settings are sent and received in the shape of their kind`() async throws {
    try await withFakeNode { node, bus in
      async let took = bus.camera("cam").set([("gain", 200), ("auto", true)])
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      guard case .controlsSet(let body) = request.request.body else {
        Issue.record("it is no request to set controls")
        return
      }
      #expect(body.camera == "cam")
      #expect(body.settings.map(\.id) == ["gain", "auto"])
      #expect(body.settings.map(\.value.value) == [.integer(200), .boolean(true)])
      let gain = WireControl.with {
        $0.id = "gain"
        $0.value.integer = 192
      }
      let auto = WireControl.with { $0.id = "auto" }
      try await node.reply(to: request, .controls(.with { $0.controls = [gain, auto] }))
      #expect(try await took.controls.first?.value == 192)
    }
  }

  @Test func `An acquisition that is given up ends the lease that it may have got`() async throws {
    try await withFakeNode { node, bus in
      var requests = node.requests.makeAsyncIterator()
      let acquisition = Task {
        await failure { () throws(CameraBusError) in _ = try await bus.camera("cam").acquireLease()
        }
      }
      let acquire = try #require(await requests.next())
      // The reply is on its way.
      acquisition.cancel()
      #expect(await acquisition.value?.code == .cancelled)
      let release = try #require(await requests.next())
      #expect(release.request.body == .leaseRelease(.with { $0.camera = "cam" }))
      // A new lease has the id of its request.
      #expect(release.request.lease == acquire.request.id)
    }
  }
}
