import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct OptionTests {
  @Test func `Options have the values that were set`() async throws {
    try await withBench { bench, context in
      let socket = try Socket<Dealer>(context, on: bench.loop)
      try check(socket, \.sendHighWaterMark, 3)
      try check(socket, \.receiveHighWaterMark, 4)
      try check(socket, \.linger, .milliseconds(20))
      try check(socket, \.maximumMessageSize, 1_000_000)
      try check(socket, \.maximumMessageSize, nil)
      try check(socket, \.immediate, true)
      try check(socket, \.isIPv6Enabled, true)
      try check(socket, \.handshakeTimeout, .seconds(2))
      try check(socket, \.heartbeatInterval, .milliseconds(300))
      try check(socket, \.heartbeatTimeout, .milliseconds(700))
      try check(socket, \.heartbeatTimeToLive, .milliseconds(1200))
      try check(socket, \.reconnectInterval, .milliseconds(11))
      try check(socket, \.maximumReconnectInterval, .seconds(5))
      try check(socket, \.connectTimeout, .milliseconds(900))
      try check(socket, \.lossTimeout, .seconds(6))
      try check(socket, \.lossTimeout, nil)
      try check(socket, \.sendBufferSize, 65536)
      try check(socket, \.sendBufferSize, nil)
      try check(socket, \.receiveBufferSize, 65536)
      try check(socket, \.routingID, Array("me".utf8))
    }
  }

  @Test func `A new socket lingers for a short time`() async throws {
    try await withBench { bench, context in
      let socket = try Socket<Pub>(context, on: bench.loop)
      #expect(socket.linger == .milliseconds(100))
      #expect(socket.maximumMessageSize == nil)
    }
  }

  @Test func `A router knows its peer by the peer's routing ID`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      dealer.routingID = Array("front desk".utf8)
      try dealer.connect(router.bind(Transport.inproc.endpoint))
      #expect(try dealer.send("hello"))
      #expect(try await router.receiveTexts() == ["front desk", "hello"])
    }
  }

  @Test func `An immediate socket does not queue for a future peer`() async throws {
    try await withBench { bench, context in
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      dealer.immediate = true
      // A path in which nobody can ever listen. A port that was just closed might still answer.
      try dealer.connect("ipc:///no/such/folder/socket")
      #expect(try !dealer.send("anybody?"))
    }
  }

  @Test func `An invalid value ends the program`() async {
    await #expect(processExitsWith: .failure) {
      try await withBench { bench, context in
        try Socket<Pub>(context, on: bench.loop).linger = .seconds(-1)
      }
    }
    await #expect(processExitsWith: .failure) {
      try await withBench { bench, context in
        try Socket<Pub>(context, on: bench.loop).sendHighWaterMark = -1
      }
    }
  }

  private nonisolated func check<Value: Equatable>(
    _ socket: Socket<Dealer>,
    _ option: ReferenceWritableKeyPath<Socket<Dealer>, Value>,
    _ value: Value
  ) throws {
    #expect(socket[keyPath: option] != value)
    socket[keyPath: option] = value
    #expect(socket[keyPath: option] == value)
  }
}
