import EventLoop
import Testing
import ZeroMQ

/// The example from the documentation, copied exactly.
private actor EchoServer {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private var socket: Socket<Router>?

  init(on loop: EventLoop) { self.loop = loop }

  /// Opens the socket. An initializer cannot do this, because it does not run on the loop.
  func open(_ context: Context, at endpoint: String) throws -> String {
    let socket = try Socket<Router>(context, on: loop)
    let resolved = try socket.bind(endpoint)
    socket.onReadable { [unowned self] in self.assumeIsolated { $0.answer() } }
    self.socket = socket
    return resolved
  }

  func close() { socket?.close() }

  /// Sends one message back. The loop calls again while more messages wait.
  private func answer() {
    guard let socket, let message = try? socket.receive() else { return }
    for (index, part) in message.enumerated() {
      guard (try? socket.send(sharing: part, more: index < message.count - 1)) == true else {
        return
      }
    }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct DocumentationTests {
  @Test func `The documentation's server answers`() async throws {
    try await withBench { bench, context in
      let loop = EventLoop(name: "server")
      let server = EchoServer(on: loop)
      let endpoint = try await server.open(context, at: "tcp://127.0.0.1:*")
      let client = try Socket<Dealer>(context, on: bench.loop)
      try client.connect(endpoint)
      for text in ["once", "twice"] {
        #expect(try client.send(text, "and more"))
        #expect(try await client.receiveTexts() == [text, "and more"])
      }
      await server.close()
      loop.stop()
    }
  }
}
