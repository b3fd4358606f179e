import EventLoop
import OperatingSystem
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct MonitorTests {
  @Test func `Both sides get the events of a connection`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      let routerEvents = try router.monitor()
      let dealerEvents = try dealer.monitor()
      let endpoint = try router.bind("tcp://127.0.0.1:*")
      try dealer.connect(endpoint)
      #expect(
        await routerEvents.kinds(until: .handshakeSucceeded) == [
          .listening, .accepted, .handshakeSucceeded,
        ]
      )
      #expect(
        await dealerEvents.kinds(until: .handshakeSucceeded).suffix(2) == [
          .connected, .handshakeSucceeded,
        ]
      )
      dealer.close()
      #expect(await routerEvents.kinds(until: .disconnected) == [.disconnected])
    }
  }

  @Test func `An event names its endpoint`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let events = try router.monitor()
      let endpoint = try router.bind("tcp://127.0.0.1:*")
      for await event in events {
        #expect(event.kind == .listening)
        #expect(event.endpoint == endpoint)
        break
      }
    }
  }

  @Test func `A failed attempt reports when the next one comes`() async throws {
    try await withBench { bench, context in
      let gone = try Socket<Router>(context, on: bench.loop)
      let endpoint = try gone.bind("tcp://127.0.0.1:*")
      try gone.unbind(endpoint)
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      dealer.reconnectInterval = .milliseconds(5)
      let events = try dealer.monitor()
      try dealer.connect(endpoint)
      var wait: Duration?
      for await event in events {
        guard case .retrying(let after) = event.kind else { continue }
        wait = after
        break
      }
      // libzmq adds a random time of up to one interval, so that clients do not all reconnect at
      // once.
      #expect((Duration.milliseconds(5)..<Duration.milliseconds(10)).contains(try #require(wait)))
    }
  }

  @Test func `The stream ends with its socket, after the events so far`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let events = try router.monitor()
      try router.bind("tcp://127.0.0.1:*")
      router.close()
      #expect(await events.reduce(into: []) { $0.append($1.kind) } == [.listening])
    }
  }

  @Test func `A slow reader gets the newest events`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let events = try router.monitor(bufferingNewest: 2)
      let endpoints = try (0..<5).map { _ in try router.bind("tcp://127.0.0.1:*") }
      router.close()
      let seen = await events.reduce(into: []) { $0.append($1.endpoint) }
      #expect(seen == endpoints.suffix(2))
    }
  }

  @Test func `A second stream ends the first`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let first = try router.monitor()
      let second = try router.monitor()
      try router.bind("tcp://127.0.0.1:*")
      #expect(await first.reduce(0) { count, _ in count + 1 } == 0)
      #expect(await second.kinds(until: .listening) == [.listening])
    }
  }

  @Test func `A new stream can begin after one that nobody reads`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      do {
        let abandoned = try router.monitor()
        let task = Task { await abandoned.reduce(0) { count, _ in count + 1 } }
        task.cancel()
        #expect(await task.value == 0)
      }
      let events = try router.monitor()
      // The end of the first stream is queued on the loop and must not affect the second.
      try await bench.loop.sleep(until: .now)
      try router.bind("tcp://127.0.0.1:*")
      #expect(await events.kinds(until: .listening) == [.listening])
    }
  }
}

extension AsyncStream<MonitorEvent> {
  /// The kinds of the events up to and including the first `last`.
  func kinds(until last: MonitorEvent.Kind) async -> [MonitorEvent.Kind] {
    var kinds: [MonitorEvent.Kind] = []
    for await event in self {
      kinds.append(event.kind)
      if event.kind == last { break }
    }
    return kinds
  }
}
