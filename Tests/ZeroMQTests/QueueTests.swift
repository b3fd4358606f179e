import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct QueueTests {
  @Test func `A full queue refuses a message and keeps the others whole`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      router.receiveHighWaterMark = 2
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      dealer.sendHighWaterMark = 2
      try dealer.connect(router.bind(Transport.inproc.endpoint))
      var sent = 0
      while try dealer.send("\(sent)", "end") { sent += 1 }
      #expect(sent == 4)
      for number in 0..<sent {
        #expect(try await router.receiveTexts().dropFirst() == ["\(number)", "end"])
      }
      #expect(try router.receiveWaiting() == nil)
      // The reader reports free room only now and then.
      while try !dealer.send("room again") { await Task.yield() }
    }
  }

  @Test func `A dealer without a peer refuses to send`() async throws {
    try await withBench { bench, context in
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      #expect(try !dealer.send("anybody?"))
    }
  }

  @Test func `A publisher drops messages for slow subscribers and never refuses`() async throws {
    try await withBench { bench, context in
      let publisher = try Socket<XPub>(context, on: bench.loop)
      publisher.sendHighWaterMark = 1
      let subscriber = try Socket<Sub>(context, on: bench.loop)
      subscriber.receiveHighWaterMark = 1
      try subscriber.connect(publisher.bind(Transport.inproc.endpoint))
      subscriber.subscribe("")
      _ = try await publisher.receive()
      for number in 0..<10 { #expect(try publisher.send("\(number)")) }
      #expect(try await subscriber.receiveTexts() == ["0"])
      #expect(try await subscriber.receiveTexts() == ["1"])
      #expect(try subscriber.receiveWaiting() == nil)
    }
  }

  @Test func `A publisher that waits refuses a message, and may then send it to the others`()
    async throws
  {
    try await withBench { bench, context in
      let publisher = try Socket<XPub>(context, on: bench.loop)
      publisher.sendHighWaterMark = 1
      publisher.setWaitsForSlow(true)
      publisher.report(.all)
      let endpoint = try publisher.bind(Transport.inproc.endpoint)
      let subscribers = try [1, 100].map { room in
        let subscriber = try Socket<Sub>(context, on: bench.loop)
        subscriber.receiveHighWaterMark = room
        try subscriber.connect(endpoint)
        subscriber.subscribe("")
        return subscriber
      }
      for _ in subscribers { _ = try await publisher.receive() }
      for number in 0..<2 { #expect(try publisher.send("\(number)", "whole")) }
      #expect(try !publisher.send("2"), "the first one's queue has room for two")
      publisher.setWaitsForSlow(false)
      #expect(try publisher.send(Array("2".utf8), more: true))
      publisher.setWaitsForSlow(true)
      #expect(try publisher.send("whole"))
      #expect(try publisher.send("3", "whole"), "the slow one is passed over from here on")
      for (subscriber, count) in zip(subscribers, [2, 4]) {
        for number in 0..<count {
          #expect(try await subscriber.receiveTexts() == ["\(number)", "whole"])
        }
        #expect(try subscriber.receiveWaiting() == nil)
      }
    }
  }

  @Test func `A router reports an unknown peer and continues`() async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      dealer.routingID = Array("client".utf8)
      try dealer.connect(router.bind(Transport.inproc.endpoint))
      #expect(try dealer.send("here"))
      _ = try await router.receive()
      let error = #expect(throws: ZeroMQError.self) {
        _ = try router.send("stranger", "hello")
      }
      #expect(error?.code == .peerUnreachable)
      #expect(try router.send("client", "hello"))
      #expect(try await dealer.receiveTexts() == ["hello"])
    }
  }

  @Test func `A peer that leaves in the middle of a message is reported`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      #expect(try left.send([1], more: true))
      right.close()
      let error = #expect(throws: ZeroMQError.self) {
        // libzmq learns of the peer's end from another thread, so it may accept a few more parts.
        while try left.send([2], more: true) {}
      }
      #expect(error?.code == .messageCutShort)
      #expect(try !left.send("a new message has nobody to go to"))
    }
  }
}
