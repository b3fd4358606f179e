import EventLoop
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct MessageTests {
  @Test(arguments: Transport.allCases)
  func `A request of many parts arrives whole, and so does its reply`(
    _ transport: Transport
  ) async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      try dealer.connect(router.bind(transport.endpoint))
      let large = [UInt8](repeating: 7, count: 1_000_000)
      #expect(try dealer.send(parts: [Array("CB1".utf8), [], large]))
      let request = try await router.receive()
      #expect(request.count == 4)
      #expect(request[1].text == "CB1")
      #expect(request[2].count == 0)
      #expect(request[3].bytes == large)
      #expect(try router.send(parts: [request[0].bytes, Array("done".utf8)]))
      #expect(try await dealer.receiveTexts() == ["done"])
    }
  }

  @Test func `A message outlives the socket that received it`() async throws {
    try await withBench { bench, context in
      let pair = try connectedPair(context, bench.loop)
      #expect(try pair.0.send("short", String(repeating: "long", count: 10_000)))
      let message = try await pair.1.receive()
      pair.0.close()
      pair.1.close()
      #expect(message[0].text == "short")
      #expect(message[1].text == String(repeating: "long", count: 10_000))
    }
  }

  @Test func `A message lends its bytes`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      #expect(try left.send([1, 2, 3]))
      let message = try await right.receive()
      let sum = message[0].withBytes { bytes in
        (0..<bytes.byteCount).reduce(0) {
          unsafe $0 + Int(bytes.unsafeLoad(fromByteOffset: $1, as: UInt8.self))
        }
      }
      #expect(sum == 6)
    }
  }

  @Test(arguments: [1, 3, 4, 5, 9])
  func `A lent message has its parts in place, and parts can be kept`(count: Int) async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let texts = (0..<count).map { String(repeating: "\($0)", count: 1 + 40 * ($0 % 2)) }
      #expect(try left.send(parts: texts.map { Array($0.utf8) }))
      var kept: Message?
      let isThere = try right.receive { parts in
        #expect(parts.count == count)
        for index in 0..<count { #expect(parts[index].text == texts[index]) }
        kept = parts.take(count - 1)
      }
      #expect(isThere)
      #expect(kept?.text == texts.last)
      #expect(try !right.receive { _ in Issue.record("there is no other") })
    }
  }

  @Test func `Nothing waits on a fresh socket`() async throws {
    try await withBench { bench, context in
      let socket = try Socket<Dealer>(context, on: bench.loop)
      #expect(try socket.receiveWaiting() == nil)
    }
  }

  @Test func `A message of too many parts is dropped whole, and the next one arrives`()
    async throws
  {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      right.maximumParts = 3
      #expect(try left.send("1", "2", "3", "4", "5"))
      #expect(try left.send("1", "2", "3"))
      #expect(await right.receiveFailure()?.code == .tooManyParts)
      #expect(try await right.receiveTexts() == ["1", "2", "3"])
      #expect(right.maximumParts == 3)
    }
  }

  @Test func `A peer that sends too large a message is disconnected`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      router.maximumMessageSize = 1000
      let events = try router.monitor()
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      try dealer.connect(router.bind("tcp://127.0.0.1:*"))
      #expect(try dealer.send([UInt8](repeating: 0, count: 1001)))
      for await event in events where event.kind == .disconnected { break }
      #expect(try router.receiveWaiting() == nil)
    }
  }
}

/// Two sockets connected to each other.
func connectedPair(
  _ context: Context,
  _ loop: EventLoop,
  _ transport: Transport = .inproc
) throws -> (Socket<Pair>, Socket<Pair>) {
  let left = try Socket<Pair>(context, on: loop)
  let right = try Socket<Pair>(context, on: loop)
  try left.connect(right.bind(transport.endpoint))
  return (left, right)
}
