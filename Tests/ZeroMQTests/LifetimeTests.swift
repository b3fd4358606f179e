import EventLoop
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct LifetimeTests {
  @Test func `A context does not close before its sockets`() async throws {
    try await withBench { bench, context in
      let sockets = try (0..<2).map { _ in try Socket<Pub>(context, on: bench.loop) }
      let error = #expect(throws: ZeroMQError.self) { try context.close() }
      #expect(error?.code == .socketsOpen)
      #expect(error?.message.hasPrefix("2 sockets") == true)
      for socket in sockets { socket.close() }
      try context.close()
      try context.close()
    }
  }

  @Test func `A closed context makes no more sockets`() async throws {
    try await withBench { bench, context in
      try context.close()
      let error = #expect(throws: ZeroMQError.self) {
        _ = try Socket<Pub>(context, on: bench.loop)
      }
      #expect(error?.code == .contextClosed)
    }
  }

  @Test func `A context closes although a queued message has no receiver`() async throws {
    try await withBench { bench, context in
      let gone = try Socket<Router>(context, on: bench.loop)
      let endpoint = try gone.bind("tcp://127.0.0.1:*")
      gone.close()
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      try dealer.connect(endpoint)
      #expect(try dealer.send("never read"))
      dealer.close()
      try context.close()
    }
  }

  @Test func `A closed socket throws an error that says so`() async throws {
    try await withBench { bench, context in
      let socket = try Socket<Dealer>(context, on: bench.loop)
      socket.close()
      socket.close()
      #expect(throws: ZeroMQError.self) { try socket.connect("inproc://x") }
      let error = #expect(throws: ZeroMQError.self) { _ = try socket.send("x") }
      #expect(error?.code == .socketClosed)
      #expect(error?.message == "the socket was closed: make a new one to send")
    }
  }

  @Test func `Messages queued when a socket closes are still sent`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop, .tcp)
      left.linger = .seconds(30)
      #expect(try left.send("last words"))
      left.close()
      #expect(try await right.receiveTexts() == ["last words"])
    }
  }

  @Test func `A forgotten socket closes by itself`() async throws {
    try await withBench { bench, context in
      do {
        let socket = try Socket<Router>(context, on: bench.loop)
        socket.onReadable {}
        _ = try socket.monitor()
        try socket.bind("inproc://forgotten")
      }
      try context.close()
    }
  }

  @Test func `A socket forgotten on another thread closes on its loop`() async throws {
    let context = try Context()
    let loop = EventLoop(name: "forgotten")
    let owner = Owner(loop)
    try await owner.open(context)
    let task = Task.detached { await owner.giveAway() }
    // This drops the last reference, away from the loop.
    await task.value.drop()
    loop.stop()
    try context.close()
  }

  @Test func `A socket that outlives its loop can be released`() async throws {
    let context = try Context()
    do {
      let loop = EventLoop(name: "outlived")
      let owner = Owner(loop)
      try await owner.open(context)
      let kept = await owner.giveAway()
      loop.stop()
      #expect(throws: ZeroMQError.self) { try context.close() }
      kept.drop()
    }
    try context.close()
  }

  @Test func `A socket used on another thread ends the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = try Socket<Pub>(Context(), on: EventLoop(name: "elsewhere"))
    }
  }
}

private actor Owner {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private var socket: Socket<Router>?

  init(_ loop: EventLoop) { self.loop = loop }

  func open(_ context: Context) throws {
    let socket = try Socket<Router>(context, on: loop)
    socket.onReadable {}
    _ = try socket.monitor()
    self.socket = socket
  }

  func giveAway() -> LastReference {
    defer { socket = nil }
    return LastReference(socket)
  }
}

// Sendable: one thread after the other owns it.
/// The only reference to a socket, which may be dropped on any thread.
private final class LastReference: @unchecked Sendable {
  private var socket: Socket<Router>?
  init(_ socket: Socket<Router>?) { self.socket = socket }
  func drop() { socket = nil }
}
