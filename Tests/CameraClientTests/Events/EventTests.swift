import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
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

  @Test func `A missing event is asked for and comes in its place`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      try await node.publish(Self.state(.ready), on: Self.topic, 3)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.replay.ranges == [.of(Self.topic, 1...2)])
      try await node.publish(Self.state(.ready), on: Self.topic, 4)
      try await node.replay(Self.topic, [1, 2], to: request)
      let epoch = await node.epoch
      for sequence in 1...4 as ClosedRange<UInt64> {
        let event = try #require(try await Self.event(&events))
        #expect(event.sequence == sequence)
        #expect(event.epoch.bytes == epoch.bytes)
      }
    }
  }

  @Test func `Events that the node does not keep any more are a gap, and a snapshot follows`()
    async throws
  {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      await node.setLastSequence(3, of: Self.topic)
      try await node.publish(Self.state(.ready), on: Self.topic, 3)
      var requests = node.requests.makeAsyncIterator()
      try await node.replay(Self.topic, [], to: #require(await requests.next()))
      guard case .gap(missed: 2, camera: "cam", kind: .state)? = try await events.next() else {
        Issue.record("no gap is reported")
        return
      }
      #expect(try await Self.event(&events)?.sequence == 3)
      guard case .snapshot? = try await events.next() else {
        Issue.record("no snapshot follows")
        return
      }
    }
  }

  @Test func `A heartbeat shows that the last event is missing`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      try await node.heartbeat(Self.topic, last: 1)
      var requests = node.requests.makeAsyncIterator()
      try await node.replay(Self.topic, [1], to: #require(await requests.next()))
      #expect(try await Self.event(&events)?.sequence == 1)
    }
  }

  @Test func `Events of a replay that cannot be read count as lost`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      await node.setLastSequence(3, of: Self.topic)
      try await node.publish(Self.state(.ready), on: Self.topic, 3)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      let nonsense: [WireReplayed] = [
        .init(), .with { $0.topic = Self.topic.name },
        .with {
          $0.topic = Self.topic.name
          $0.header = Data(WireHeader.with { $0.sequence = 1 }.bytes)
        },
        .with {
          $0.topic = Self.topic.name
          $0.header = Data([255])
        },
      ]
      try await node.reply(to: request, .replay(.with { $0.events = nonsense }))
      guard case .gap(missed: 2, camera: "cam", kind: .state)? = try await events.next() else {
        Issue.record("no gap is reported")
        return
      }
    }
  }

  @Test func `The history comes first, then the snapshot, then new events`() async throws {
    try await withFakeNode { node, bus in
      await node.setLastSequence(2, of: Self.topic)
      var events = try bus.camera("cam").events(includingHistory: true).makeAsyncIterator()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.replay.ranges == [.of(Self.topic, 1...2)])
      try await node.replay(Self.topic, [1, 2], to: request)
      #expect(try await Self.event(&events)?.sequence == 1)
      #expect(try await Self.event(&events)?.sequence == 2)
      guard case .snapshot? = try await events.next() else {
        Issue.record("no snapshot follows")
        return
      }
      try await node.publish(Self.state(.ready), on: Self.topic, 3)
      #expect(try await Self.event(&events)?.sequence == 3)
    }
  }

  @Test func `A restart of the node is reported, and then every event since`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      try await node.publish(Self.state(.ready), on: Self.topic, 1)
      #expect(try await Self.event(&events)?.sequence == 1)
      let next = Epoch.random()
      try await node.comeBack(as: next)
      await node.setLastSequence(2, of: Self.topic)
      try await node.publish(Self.state(.ready), on: Self.topic, 3)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.replay.ranges == [.of(Self.topic, 1...2)])
      try await node.replay(Self.topic, [1, 2], to: request)
      guard case .nodeRestarted? = try await events.next() else {
        Issue.record("the restart is not reported")
        return
      }
      #expect(try await Self.event(&events)?.sequence == 1)
      #expect(try await Self.event(&events)?.sequence == 2)
      guard case .snapshot(let status)? = try await events.next() else {
        Issue.record("no snapshot follows")
        return
      }
      #expect(status.epoch.bytes == next.bytes)
      let last = try await Self.event(&events)
      #expect(last?.sequence == 3)
      #expect(last?.epoch.bytes == next.bytes)
    }
  }

  @Test func `A reader that sleeps gets every event later`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      let count = 3000 as UInt64
      for sequence in 1...count {
        try await node.publish(Self.state(.ready), on: Self.topic, sequence)
      }
      try await node.beat(Self.topic, last: count)
      let answering = Task {
        for await request in node.requests {
          // A node sends a limited number of events at a time, over all ranges.
          let missing = request.request.replay.ranges.flatMap { Array($0.first...$0.last) }
          try await node.replay(
            Self.topic, Array(missing.prefix(500)), hasMore: missing.count > 500, to: request)
        }
      }
      for sequence in 1...count {
        let told = try await events.next()
        guard case .event(let event)? = told, event.sequence == sequence else {
          Issue.record("\(sequence) does not come in its place, but \(String(describing: told))")
          break
        }
      }
      answering.cancel()
      try await answering.value
    }
  }

  @Test func `A reader without room gets the end too`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      for sequence in 1...2000 as ClosedRange<UInt64> {
        try await node.publish(Self.state(.ready), on: Self.topic, sequence)
      }
      // The heartbeat follows the events in the same socket; the status is answered after it was
      // read.
      try await node.heartbeat(Self.topic, last: 2000)
      _ = try await bus.status()
      await bus.close()
      let error = await failure { () throws(CameraBusError) in
        while try await events.next() != nil {}
      }
      #expect(error?.code == .closed)
    }
  }

  @Test func `A subscription that falls silent is made again`() async throws {
    try await withFakeNode { node, bus in
      var events = try await Self.join(bus, node)
      // The node sends nothing, no heartbeat either, and the connection stays open.
      guard case .disconnected(nil)? = try await events.next() else {
        Issue.record("the silence is not reported")
        return
      }
      try await Self.subscribed(node)
      guard case .reconnected? = try await events.next(),
        case .snapshot? = try await events.next()
      else {
        Issue.record("the end of the silence is not reported")
        return
      }
    }
  }

  @Test func `A second reader of events is refused, and each reader of readiness gets it`()
    async throws
  {
    try await withFakeNode { node, bus in
      let events = bus.events()
      var first = events.makeAsyncIterator()
      var second = events.makeAsyncIterator()
      _ = try await first.next()
      let error = await failure { () throws(CameraBusError) in _ = try await second.next() }
      #expect(error?.code == .conflict)
      let updates = try bus.camera("cam").readinessUpdates
      async let one = updates.first { _ in true }
      async let other = updates.first { _ in true }
      #expect(await one == .ready)
      #expect(await other == .ready)
      withExtendedLifetime(first) {}
    }
  }

  @Test func `Readiness is known without a request, and follows events`() async throws {
    try await withFakeNode { node, bus in
      let camera = try bus.camera("cam")
      #expect(camera.readiness == nil)
      var updates = camera.readinessUpdates.makeAsyncIterator()
      #expect(await updates.next() == .ready)
      #expect(camera.readiness == .ready)
      // The request for a photo is on its way, and the node does not know of it yet.
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
      try await node.publish(Self.state(.ready), on: Self.topic, 2)
      #expect(await updates.next() == .ready)
      #expect(camera.readiness(for: PhotoSettings(flash: .on)) == .ready)
      var leased = Self.state(.notReadyMomentarily)
      leased.state.lease.holder = "another"
      try await node.publish(leased, on: Self.topic, 3)
      leased.state.readiness = .ready
      try await node.publish(leased, on: Self.topic, 4)
      while await updates.next() != .ready {}
      #expect(camera.readiness(for: PhotoSettings(flash: .on)) == .notReadyLeased)
      #expect(camera.readiness(for: PhotoSettings(), isBracket: true) == .notReadyLeased)
      #expect(camera.readiness(for: PhotoSettings(size: .maximum)) == .notReadyLeased)
      #expect(camera.readiness(for: PhotoSettings()) == .ready)
      camera.useLease(Identifier(RequestID.random()))
      #expect(camera.readiness(for: PhotoSettings(flash: .on)) == .ready)
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

  /// The next element, if it is an event.
  private static func event(
    _ events: inout EventSequence.AsyncIterator
  ) async throws -> CameraEvent? {
    guard case .event(let event)? = try await events.next() else { return nil }
    return event
  }

  /// The events behind the first snapshot.
  private static func join(
    _ bus: CameraBus,
    _ node: FakeNode
  ) async throws -> EventSequence.AsyncIterator {
    var events = bus.events().makeAsyncIterator()
    guard case .snapshot? = try await events.next() else {
      Issue.record("the first is no snapshot")
      return events
    }
    try await subscribed(node)
    return events
  }

  static func subscribed(_ node: FakeNode) async throws {
    for await change in node.subscriptions where change == Subscription(Array("event/".utf8)) {
      return
    }
  }
}

extension WireReplayRequest.Range {
  fileprivate static func of(_ topic: Topic, _ numbers: ClosedRange<UInt64>) -> Self {
    .with {
      $0.topic = topic.name
      $0.first = numbers.lowerBound
      $0.last = numbers.upperBound
    }
  }
}
