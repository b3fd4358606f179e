import TestSupport
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct ZeroCopyTests {
  @Test func `A peer in the process gets the shared object's memory`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let blob = Blob(count: 100_000)
      #expect(try left.send(sharing: blob))
      let message = try await right.receive()
      #expect(message[0].address == blob.address)
      #expect(message[0].count == 100_000)
    }
  }

  @Test(arguments: Transport.allCases)
  func `A shared object is released once, after the last peer has received it`(
    _ transport: Transport
  ) async throws {
    try await withBench { bench, context in
      let ended = Recorded<Void>()
      let (left, right) = try connectedPair(context, bench.loop, transport)
      #expect(try left.send(sharing: Blob(count: 100_000) { ended.add() }))
      do {
        let message = try await right.receive()
        #expect(message[0].count == 100_000)
        if transport == .inproc { #expect(ended.events.count == 0) }
      }
      await ended.atLeast(1)
      #expect(ended.events.count == 1)
    }
  }

  @Test func `All subscribers share one object`() async throws {
    try await withBench { bench, context in
      let ended = Recorded<Void>()
      let publisher = try Socket<XPub>(context, on: bench.loop)
      publisher.report(.everyBeginning)
      let endpoint = try publisher.bind(Transport.inproc.endpoint)
      let subscribers = try (0..<3).map { _ in try Socket<Sub>(context, on: bench.loop) }
      for subscriber in subscribers {
        try subscriber.connect(endpoint)
        subscriber.subscribe("")
        _ = try await publisher.receive()
      }
      var blob: Blob? = Blob(count: 10_000) { ended.add() }
      let address = try #require(blob).address
      #expect(try publisher.send(sharing: try #require(blob)))
      blob = nil
      for subscriber in subscribers {
        #expect(ended.events.count == 0)
        #expect(try await subscriber.receive()[0].address == address)
      }
      await ended.atLeast(1)
      #expect(ended.events.count == 1)
    }
  }

  @Test(arguments: [10, 100_000])
  func `An object that is refused is released at once`(count: Int) async throws {
    try await withBench { bench, context in
      let ended = Recorded<Void>()
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      #expect(try !dealer.send(sharing: Blob(count: count) { ended.add() }))
      #expect(ended.events.count == 1)
      let router = try Socket<Router>(context, on: bench.loop)
      #expect(throws: ZeroMQError.self) {
        _ = try router.send(sharing: Blob(count: count) { ended.add() }, more: true)
      }
      #expect(ended.events.count == 2)
    }
  }

  @Test func `A small object is copied and released at once`() async throws {
    try await withBench { bench, context in
      let ended = Recorded<Void>()
      let (left, right) = try connectedPair(context, bench.loop)
      #expect(try left.send(sharing: Blob(count: 3) { ended.add() }))
      #expect(ended.events.count == 1)
      #expect(try await right.receive()[0].bytes == [0, 1, 2])
    }
  }

  @Test(arguments: [10..<14, 100..<5000])
  func `A range of an object can be sent alone`(range: Range<Int>) async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let blob = Blob(count: 5000)
      #expect(try left.send(sharing: blob, range: range, more: true))
      #expect(try left.send("end"))
      let message = try await right.receive()
      #expect(message[0].bytes == range.map { UInt8(truncatingIfNeeded: $0) })
      #expect(message[1].text == "end")
    }
  }

  @Test func `Lent objects count towards the limit until the peer has them`()
    async throws
  {
    try await withBench { bench, context in
      let ended = Recorded<Void>()
      let (left, right) = try connectedPair(context, bench.loop)
      let lending = Lending(limit: 2)
      for _ in 0..<2 {
        #expect(lending.hasRoom)
        #expect(try left.send(sharing: Blob(count: 1000) { ended.add() }, lending: lending))
      }
      #expect(!lending.hasRoom)
      for taken in 1...2 {
        do { _ = try await right.receive() }
        await ended.atLeast(taken)
        #expect(lending.hasRoom)
      }
      // The places can be used again.
      for _ in 0..<2 {
        #expect(try left.send(sharing: Blob(count: 1000) { ended.add() }, lending: lending))
      }
      #expect(!lending.hasRoom)
    }
  }

  @Test func `A lent object that is refused is returned at once`() async throws {
    try await withBench { bench, context in
      let ended = Recorded<Void>()
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      let lending = Lending(limit: 1)
      #expect(try !dealer.send(sharing: Blob(count: 1000) { ended.add() }, lending: lending))
      #expect(ended.events.count == 1)
      #expect(lending.hasRoom)
    }
  }

  @Test func `A range beyond the object's bytes ends the program`() async {
    await #expect(processExitsWith: .failure) {
      try await withBench { bench, context in
        let (left, _) = try connectedPair(context, bench.loop)
        _ = try left.send(sharing: Blob(count: 1000), range: 0..<1001)
      }
    }
  }

  @Test func `A received part is passed on without a copy`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      #expect(try left.send([UInt8](repeating: 9, count: 10_000)))
      let received = try await right.receive()[0]
      #expect(try right.send(sharing: received))
      let returned = try await left.receive()[0]
      #expect(returned.address == received.address)
      #expect(returned.count == 10_000)
    }
  }
}
