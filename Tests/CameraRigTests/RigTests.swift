import CameraClient
import CameraNode
import Keys
import Logging
import TestSupport
import Testing
import ZeroMQ

@testable import CameraRig

/// A rig with nodes of this process.
@Suite(.timeLimit(.minutes(5)))
struct RigTests {
  // Long enough for the nodes that are there on a busy machine.
  private static let configuration = CameraBus.Configuration(
    connectTimeout: .seconds(10), requestTimeout: .seconds(600))

  private func withRig<R>(
    _ description: RigDescription, _ body: (Rig) async throws -> R
  ) async throws -> R {
    let rig = try Rig(description, configuration: Self.configuration)
    return try await attempt {
      try await body(rig)
    } finally: {
      await rig.close()
    }
  }

  /// Takes a photo with a node's cameras, after which they are ready.
  private func rouse(_ node: TestNode) async throws {
    try await withCameraBus(node.control) { bus in
      for camera in ["left", "right"] { _ = try await bus.camera(camera).capture() }
    }
  }

  // MARK: Readiness

  @Test func `A rig says what is in the way, and nothing when all can take a picture`()
    async throws
  {
    try await TestNode.run(3) { nodes in
      for node in nodes { try await rouse(node) }
      let ready = try RigDescription(
        yaml: "nodes: [{node: \(nodes[0].control), name: n0, cameras: [left]}]")
      #expect(try await withRig(ready) { await $0.readiness } == RigReadiness(obstacles: []))
      await nodes[1].stop()
      let description = try RigDescription(
        yaml: """
          nodes:
          - node: \(nodes[0].control)
            name: n0
            cameras: [left, {camera: right, name: north}, lost]
          - {node: \(nodes[1].control), name: n1}
          - {node: \(nodes[2].control), name: n2}
          """)
      try await withCameraBus(nodes[0].control) { bus in
        _ = try await bus.camera("right").stopSession()
      }
      let readiness = try await withRig(description) { await $0.readiness }
      #expect(!readiness.isReady)
      #expect(readiness.obstacles.map(\.node) == ["n0", "n0", "n1"])
      #expect(readiness.obstacles.map(\.camera) == ["north", "lost", nil])
      #expect(readiness.obstacles.map(\.readiness) == [.sessionNotRunning, nil, nil])
      #expect(readiness.obstacles.map(\.problem?.code) == [nil, .noSuchCamera, .unreachable])
      #expect(readiness.obstacles[0].description == "north: sessionNotRunning")
    }
  }

  // MARK: Clocks

  @Test func `The clocks of a rig are those of its nodes, or say why not`() async throws {
    try await TestNode.run(2) { nodes in
      await nodes[1].stop()
      let rig = try RigDescription(
        yaml: """
          nodes: [{node: \(nodes[0].control), name: n0}, {node: \(nodes[1].control), name: n1}]
          """)
      let clocks = try await withRig(rig) { await $0.clocks }
      #expect(clocks.map(\.name) == ["n0", "n1"])
      #expect(clocks[0].offset == ClockOffset(least: .zero, most: .zero))
      #expect(clocks[0].source == .sameClock && clocks[0].driftPerSecond == .zero)
      #expect(try #require(clocks[0].roundTrip) > .zero && clocks[0].problem == nil)
      #expect(clocks[1].offset == nil && clocks[1].problem?.code == .unreachable)
    }
  }

  @Test(arguments: [(true, true), (true, false), (false, true)])
  func `A clock says whether wall clocks bound it too`(ownsWall: Bool, hasWall: Bool) {
    let moment = { MonotonicInstant(nanoseconds: $0) }
    let reading = ClockReading(
      sent: moment(0), read: moment(1500),
      answered: Timestamp(
        monotonic: moment(1500), wall: WallInstant(nanoseconds: 1500),
        wallError: hasWall ? .seconds(1) : nil),
      received: moment(1000), wallSource: hasWall ? .chronyd : nil, clockID: "other")
    var estimate = ClockEstimate(ownClockID: "own")
    estimate.add(reading)
    let clock = RigClock(
      "n", estimate, reading, knowsOwnWall: ownsWall, roundTrip: .nanoseconds(1000))
    #expect(clock.source == (ownsWall && hasWall ? .wallClocks : .exchanges))
    #expect(clock.driftPerSecond == .microseconds(100))
    #expect(clock.wallSource == (hasWall ? .chronyd : nil))
  }

  // MARK: Events

  @Test func `The events of a rig come until nobody reads them any more`() async throws {
    try await TestNode.run(2) { nodes in
      let rig = try Rig(
        RigDescription(
          yaml: """
            nodes: [{node: \(nodes[0].control), name: n0}, {node: \(nodes[1].control), name: n1}]
            """))
      var iterator: MonitorFeed.Iterator? = try rig.events().makeAsyncIterator()
      weak let queue = iterator?.queue
      var missing: Set = ["n0", "n1"]
      while !missing.isEmpty, let event = try await iterator?.next() {
        if case .node(.snapshot) = event.body { missing.remove(event.node) }
      }
      try await nodes[1].change(times: 1)
      while let event = try await iterator?.next() {
        if case .node(.event(let own)) = event.body, case .control = own.body {
          #expect(event.node == "n1")
          break
        }
      }
      iterator = nil
      while queue != nil { await Task.yield() }
      await rig.close()
      #expect(throws: CameraBusError.self) {
        try rig.events(
          MonitorOptions(positions: ["other": EventPosition(epoch: Identifier.random())]))
      }
    }
  }

  // MARK: Credentials

  @Test func `A node is shown its next credentials while it is another than they are for`()
    async throws
  {
    let folder = try TemporaryFolder()
    var configuration = NodeConfiguration(name: "plain", library: "\(folder.path)/library")
    configuration.pressure = .off
    configuration.control = "tcp://127.0.0.1:*"
    configuration.events = "tcp://127.0.0.1:*"
    configuration.frames = "tcp://127.0.0.1:*"
    configuration.cameras = [try CameraConfiguration(argument: "cam=synthetic:160x120@10")]
    let node = try await Node.start(configuration, log: Logger(label: "plain"))
    try await attempt {
      let wrong = try (0..<2).map { _ in
        try Credentials(
          secretKey: CurveKeyPair.generate().secretKey.z85,
          nodeKey: CurveKeyPair.generate().publicKey.z85)
      }
      let connection = RigConnection(
        name: "plain", control: node.endpoints.control, credentials: wrong + [nil])
      let timeouts = CameraBus.Configuration(connectTimeout: .seconds(60))
      #expect(try await connection.status(timeouts).name == "plain")
      // Several at the same time leave none out.
      let link = RigLink(connection, timeouts, OwnWallClock())
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<4 { group.addTask { try await link.status().name } }
        for try await name in group { #expect(name == "plain") }
      }
      await link.close()
      let other = RigLink(connection, timeouts, OwnWallClock())
      #expect(try await other.readClock() == false)
      await other.close()
      try await withMonitor(of: [connection], options: MonitorOptions(configuration: timeouts)) {
        var feed = $0.makeAsyncIterator()
        guard case .node(.snapshot(let status))? = try await feed.next()?.body else {
          Issue.record("the node's state comes first")
          return
        }
        #expect(status.name == "plain")
      }
      let closed = RigConnection(name: "p", control: node.endpoints.control, credentials: wrong)
      let error = await #expect(throws: CameraBusError.self) {
        try await closed.status(timeouts)
      }
      #expect(error?.code == .wrongNode)
    } finally: {
      await node.stop()
    }
  }

  // MARK: Shots

  @Test func `A node that hangs holds up a shot no longer than a node may take to be there`()
    async throws
  {
    try await TestNode.run(1) { nodes in
      try await rouse(nodes[0])
      let folder = try TemporaryFolder()
      let silent = try await SilentNode(in: folder)
      let description = try RigDescription(
        yaml: """
          nodes: [{node: "\(silent.control)", name: silent}, {node: \(nodes[0].control), name: n0}]
          """)
      try await attempt {
        // An answer to a request is waited for much longer than this test may take.
        let shot = try await withRig(description) { await $0.capture(policy: .any) }
        #expect(shot.outcome == .incomplete)
        #expect(shot.parts.map(\.camera) == ["silent", "left", "right"])
        #expect(shot.parts.map { $0.picture != nil } == [false, true, true])
        let part = shot.parts[0]
        #expect(part.failedStep == .connect && part.problem?.code == .timedOut)
        #expect(part.problem?.message.contains("the node silent has not answered within") == true)
      } finally: {
        await silent.close()
      }
    }
  }
}
