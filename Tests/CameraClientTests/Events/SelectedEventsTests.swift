import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing
import ZeroMQ

/// Events by kind, for a camera and for the whole node.
@Suite(.timeLimit(.minutes(5)))
struct SelectedEventsTests {
  @Test func `States begin with the present one and go on with every change`() async throws {
    try await withFakeNode { node, bus in
      var states = try bus.camera("cam").events(of: .states).makeAsyncIterator()
      #expect(try await states.next()?.readiness == .ready)
      try await Self.subscribed(node, "event/cam/state/")
      let topic = Topic.event(camera: "cam", kind: .state)
      try await node.publish(EventTests.state(.notReadyMomentarily), on: topic, 1)
      #expect(try await states.next()?.readiness == .notReadyMomentarily)
    }
  }

  @Test func `The states of all cameras come one after another`() async throws {
    try await withFakeNode { node, bus in
      await node.setCameras([.camera("left", .ready), .camera("right", .ready)])
      var states = bus.events(of: .states).makeAsyncIterator()
      let first = try await states.next()
      let second = try await states.next()
      #expect([first?.name, second?.name] == ["left", "right"])
    }
  }

  @Test func `Other kinds are left out, and what is missing of them is not asked for`() async throws
  {
    try await withFakeNode { node, bus in
      let changes = bus.events(of: .controls)
      try await Self.subscribed(node, "event/")
      let state = Topic.event(camera: "cam", kind: .state)
      try await node.publish(EventTests.state(.ready), on: state, 7)
      let control = Topic.event(camera: "cam", kind: .control)
      try await node.publish(
        .with {
          $0.camera = "cam"
          $0.control.id = "brightness"
        },
        on: control, 1)
      let change = try await changes.first { _ in true }
      #expect(change?.camera == "cam")
      #expect(change?.control.id == "brightness")
      var requests = node.requests.makeAsyncIterator()
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `The steps of photos come with their request`() async throws {
    try await withFakeNode { node, bus in
      let id = RequestID.random()
      await node.setLastSequence(1, of: Topic.event(camera: "cam", kind: .capture))
      let captures = try bus.camera("cam").events(of: .captures, includingHistory: true)
      async let report = captures.first { _ in true }
      var requests = node.requests.makeAsyncIterator()
      let event = WireEvent.with {
        $0.camera = "cam"
        $0.capture.requestID = id.data
        $0.capture.progress.step = .willCapture
      }
      try await node.replay(
        Topic.event(camera: "cam", kind: .capture), [1], event, to: #require(await requests.next()))
      #expect(try await report?.requestID.bytes == id.bytes)
      guard case .willCapture? = try await report?.event else {
        Issue.record("the step is another one")
        return
      }
    }
  }

  private static func subscribed(_ node: FakeNode, _ prefix: String) async throws {
    for await change in node.subscriptions where change == Subscription(Array(prefix.utf8)) {
      return
    }
  }
}
