import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct EventTests {
  private static let topic = Topic.event(camera: "cam", kind: .state)

  @Test func `Events begin with a snapshot and go on from it`() async throws {
    try await withFakeNode { node, bus in
      await node.setLastSequence(4, of: Self.topic)
      var events = bus.events().makeAsyncIterator()
      guard case .snapshot(let status)? = try await events.next() else {
        Issue.record("the first is no snapshot")
        return
      }
      #expect(status.cameras.map(\.name) == ["cam"])
      try await Self.subscribed(node)
      try await node.publish(Self.state(.ready), on: Self.topic, 4)
      try await node.publish(Self.state(.notReadyMomentarily), on: Self.topic, 5)
      #expect(Self.readiness(try await events.next()) == .notReadyMomentarily)
    }
  }

  @Test func `What did not come is told, and the state after it`() async throws {
    try await withFakeNode { node, bus in
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      try await Self.subscribed(node)
      await node.setLastSequence(3, of: Self.topic)
      try await node.publish(Self.state(.ready), on: Self.topic, 3)
      guard case .gap(missed: 2)? = try await events.next() else {
        Issue.record("no gap is told")
        return
      }
      #expect(Self.readiness(try await events.next()) == .ready)
      guard case .snapshot? = try await events.next() else {
        Issue.record("no snapshot follows")
        return
      }
    }
  }

  @Test func `The heartbeat tells of a last event that did not come`() async throws {
    try await withFakeNode { node, bus in
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      try await Self.subscribed(node)
      await node.setLastSequence(1, of: Self.topic)
      try await node.heartbeat(Self.topic, last: 1)
      guard case .gap(missed: 1)? = try await events.next() else {
        Issue.record("no gap is told")
        return
      }
    }
  }

  @Test func `A node that was started anew is told`() async throws {
    try await withFakeNode { node, bus in
      var events = bus.events().makeAsyncIterator()
      _ = try await events.next()
      try await Self.subscribed(node)
      try await node.comeBack(as: Epoch.random())
      try await node.publish(Self.state(.ready), on: Self.topic, 1)
      guard case .nodeRestarted? = try await events.next() else {
        Issue.record("it is not told")
        return
      }
      guard case .snapshot(let status)? = try await events.next() else {
        Issue.record("no snapshot follows")
        return
      }
      let epoch = await node.epoch
      #expect(status.epoch.bytes == epoch.bytes)
    }
  }

  @Test func `Readiness is known without asking, and changes by itself`() async throws {
    try await withFakeNode { node, bus in
      let camera = bus.camera("cam")
      #expect(camera.readiness == nil)
      var updates = camera.readinessUpdates.makeAsyncIterator()
      #expect(await updates.next() == .ready)
      #expect(camera.readiness == .ready)
      // A photo is on its way, and the node does not know of it yet.
      let photo = camera.captureSteps()
      #expect(camera.readiness == .notReadyMomentarily)
      #expect(await updates.next() == .notReadyMomentarily)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(
        to: request,
        .captureProgress(.with { $0.step = .willBegin }),
        isFinal: false
      )
      #expect(await updates.next() == .ready)
      try await Self.subscribed(node)
      try await node.publish(Self.state(.notReadyWaitingForCapture), on: Self.topic, 1)
      #expect(await updates.next() == .notReadyWaitingForCapture)
      withExtendedLifetime(photo) {}
    }
  }

  static func state(_ readiness: WireReadiness) -> WireEvent {
    .with {
      $0.camera = "cam"
      $0.state = .camera("cam", readiness)
    }
  }

  private static func readiness(_ event: NodeEvent?) -> Readiness? {
    guard case .event(let event)? = event, case .state(let status) = event.body else { return nil }
    return status.readiness
  }

  static func subscribed(_ node: FakeNode) async throws {
    for await change in node.subscriptions where change == Subscription(Array("event/".utf8)) {
      return
    }
  }
}
