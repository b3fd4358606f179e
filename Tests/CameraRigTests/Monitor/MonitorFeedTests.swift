import CameraClient
import CameraRig
import TestSupport
import Testing

/// The monitor with nodes of this process.
@Suite(.timeLimit(.minutes(5)))
struct MonitorFeedTests {
  /// Reads until all nodes' snapshots have come.
  private func join(
    _ feed: inout MonitorFeed.Iterator, _ nodes: [TestNode]
  ) async throws -> [MonitorEvent] {
    var (events, missing) = ([MonitorEvent](), Set(nodes.map(\.name)))
    while !missing.isEmpty, let event = try await feed.next() {
      if case .node(.snapshot) = event.body { missing.remove(event.node) }
      events.append(event)
    }
    return events
  }

  /// The next controls of a node's camera.
  private func controls(
    _ feed: inout MonitorFeed.Iterator, of node: String, _ count: Int
  ) async throws -> [CameraEvent] {
    var controls: [CameraEvent] = []
    while controls.count < count, let event = try await feed.next() {
      if event.node == node, let control = event.control { controls.append(control) }
    }
    return controls
  }

  @Test func `Events of all nodes come in the order of their times, with the nodes' names`()
    async throws
  {
    try await TestNode.run(3) { nodes in
      try await withMonitor(of: nodes.map(\.connection)) { feed in
        var feed = feed.makeAsyncIterator()
        _ = try await join(&feed, nodes)
        for round in 0..<10 {
          for node in nodes { try await node.change(times: 1, from: round) }
        }
        var (names, times) = ([String](), [MonotonicInstant]())
        while names.count < 30, let event = try await feed.next() {
          guard let control = event.control else { continue }
          names.append(event.node)
          times.append(event.time.moment)
          // All run on the same clock.
          #expect(event.time.error == .zero && event.time.moment == control.time.monotonic)
          #expect(!event.isLate)
        }
        #expect(names == (0..<10).flatMap { _ in ["n0", "n1", "n2"] })
        #expect(times == times.sorted())
      }
    }
  }

  @Test func `A node that is not there is waited for, and holds up nobody`() async throws {
    try await TestNode.run(2) { nodes in
      await nodes[1].stop()
      let options = MonitorOptions(configuration: .init(connectTimeout: .milliseconds(300)))
      try await withMonitor(of: nodes.map(\.connection), options: options) { feed in
        var feed = feed.makeAsyncIterator()
        var (isAwaited, hasSnapshot) = (false, false)
        while !isAwaited || !hasSnapshot, let event = try await feed.next() {
          if case .awaited(let problem) = event.body {
            #expect(event.node == "n1" && problem.code == .unreachable)
            isAwaited = true
          }
          if case .node(.snapshot) = event.body { hasSnapshot = event.node == "n0" }
        }
        try await nodes[0].change(times: 3)
        #expect(try await controls(&feed, of: "n0", 3).map(\.sequence) == [1, 2, 3])
        try await nodes[1].start()
        _ = try await join(&feed, [nodes[1]])
        try await nodes[1].change(times: 1)
        #expect(try await controls(&feed, of: "n1", 1).count == 1)
      }
    }
  }

  @Test func `A node that restarts is told with the time, and goes on in its new start`()
    async throws
  {
    try await TestNode.run(2) { nodes in
      try await withMonitor(of: nodes.map(\.connection)) { feed in
        var feed = feed.makeAsyncIterator()
        _ = try await join(&feed, nodes)
        try await nodes[0].change(times: 2)
        let before = try await controls(&feed, of: "n0", 2)
        await nodes[0].stop()
        let gone = MonotonicInstant.now
        var isGone = false
        while !isGone, let event = try await feed.next() {
          guard case .node(.disconnected) = event.body else { continue }
          #expect(event.node == "n0" && event.time.error == .zero && event.time.moment > gone)
          isGone = true
        }
        try await nodes[0].start()
        try await nodes[0].change(times: 2)
        var words: [String] = []
        var after: [CameraEvent] = []
        while after.count < 2, let event = try await feed.next() {
          switch event.body {
          case .node(.reconnected): words.append("reconnected")
          case .node(.nodeRestarted): words.append("restarted")
          default: if let control = event.control { after.append(control) }
          }
        }
        #expect(words == ["reconnected", "restarted"])
        #expect(after.map(\.sequence) == [1, 2] && after[0].epoch != before[0].epoch)
      }
    }
  }

  @Test func `A monitor goes on where another has stopped, and misses nothing in between`()
    async throws
  {
    try await TestNode.run(2) { nodes in
      var positions: [String: EventPosition] = [:]
      positions = try await withMonitor(of: nodes.map(\.connection)) { feed in
        var feed = feed.makeAsyncIterator()
        var positions: [String: EventPosition] = [:]
        for event in try await join(&feed, nodes) { positions.take(event) }
        try await nodes[0].change(times: 3)
        while positions["n0"]?.number(of: "left", .control) != 2, let event = try await feed.next()
        {
          positions.take(event)
        }
        return positions
      }
      try await nodes[1].change(times: 2)
      // Events of the past come in order at once, however short the window is.
      let options = MonitorOptions(window: .zero, positions: positions)
      try await withMonitor(of: nodes.map(\.connection), options: options) { feed in
        var feed = feed.makeAsyncIterator()
        let events = try await join(&feed, nodes)
        let told = events.compactMap { event in
          event.control.map { "\(event.node) \($0.sequence)" }
        }
        #expect(told == ["n0 3", "n1 1", "n1 2"])
        #expect(events.allSatisfy { !$0.isLate })
      }
    }
  }

  @Test func `A position that is not its node's ends the feed, and an unknown node is refused`()
    async throws
  {
    try await TestNode.run(1) { nodes in
      let status = try await nodes[0].connection.status()
      let text = "\(status.epoch):left/control=5"
      let position = try #require(EventPosition(text))
      let options = MonitorOptions(positions: ["n0": position])
      let error = await #expect(throws: CameraBusError.self) {
        try await withMonitor(of: [nodes[0].connection], options: options) { feed in
          for try await _ in feed {}
        }
      }
      #expect(error?.code == .invalidArgument && error?.field == "after")
      let unknown = MonitorOptions(positions: ["n1": position])
      await #expect(throws: CameraBusError.self) {
        try await withMonitor(of: [nodes[0].connection], options: unknown) { _ in }
      }
      await #expect(throws: CameraBusError.self) { try await withMonitor(of: []) { _ in } }
      let twice = [nodes[0].connection, nodes[0].connection]
      await #expect(throws: CameraBusError.self) { try await withMonitor(of: twice) { _ in } }
      let long = MonitorOptions(window: .seconds(61))
      await #expect(throws: CameraBusError.self) {
        try await withMonitor(of: [nodes[0].connection], options: long) { _ in }
      }
    }
  }

  @Test func `Only the cameras of the rig are followed`() async throws {
    try await TestNode.run(1) { nodes in
      let node = RigConnection(
        name: "n0", control: nodes[0].control, credentials: [nil], cameras: ["right"])
      try await withMonitor(of: [node]) { feed in
        var feed = feed.makeAsyncIterator()
        for event in try await join(&feed, nodes) {
          guard case .node(.snapshot(let status)) = event.body else { continue }
          #expect(status.cameras.map(\.name) == ["right"])
        }
        try await nodes[0].change("left", times: 1)
        try await nodes[0].change("right", times: 1)
        #expect(try await controls(&feed, of: "n0", 1).map(\.camera) == ["right"])
      }
    }
  }

  @Test func `A reader that stops reading misses nothing that its nodes keep`() async throws {
    try await TestNode.run(2) { nodes in
      try await withMonitor(of: nodes.map(\.connection)) { feed in
        var feed = feed.makeAsyncIterator()
        _ = try await join(&feed, nodes)
        // More than fit into one node's share, which is 1024, with 2048 before it.
        try await nodes[0].change(times: 3500)
        try await nodes[1].change(times: 10)
        var numbers: [String: [UInt64]] = [:]
        var missed = 0
        while numbers["n0"]?.last != 3500 || numbers["n1"]?.count != 10,
          let event = try await feed.next()
        {
          if let control = event.control {
            numbers[event.node, default: []].append(control.sequence)
          }
          if case .node(.gap(let count, _, _)) = event.body { missed += count }
        }
        #expect(numbers["n1"] == Array(1...10))
        let n0 = try #require(numbers["n0"])
        #expect(n0 == n0.sorted() && Set(n0).count == n0.count)
        #expect(n0.count + missed == 3500)
      }
    }
  }

  @Test func `A task that is cancelled ends its feed`() async throws {
    try await TestNode.run(1) { nodes in
      let reading = Task {
        try await withMonitor(of: [nodes[0].connection]) { feed in
          var count = 0
          for try await _ in feed { count += 1 }
          return count
        }
      }
      reading.cancel()
      _ = try await reading.value
    }
  }
}

extension MonitorEvent {
  fileprivate var control: CameraEvent? {
    guard case .node(.event(let event)) = body, event.kind == .control else { return nil }
    return event
  }
}

extension [String: EventPosition] {
  fileprivate mutating func take(_ event: MonitorEvent) {
    guard case .node(let own) = event.body else { return }
    if case .snapshot(let status) = own, self[event.node] == nil {
      self[event.node] = status.eventPosition
    }
    self[event.node]?.take(own)
  }
}
