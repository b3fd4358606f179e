import EventLoop
import OperatingSystem
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct SubscriptionTests {
  @Test func `A subscriber receives messages with its prefix until it unsubscribes`()
    async throws
  {
    try await withBench { bench, context in
      let publisher = try Socket<XPub>(context, on: bench.loop)
      let subscriber = try Socket<Sub>(context, on: bench.loop)
      try subscriber.connect(publisher.bind("tcp://127.0.0.1:*"))
      subscriber.subscribe("event/front/")
      _ = try await publisher.receive()
      for topic in ["event/back/x", "event/front/x", "event/frontal", "event/front/y"] {
        #expect(try publisher.send(topic))
      }
      #expect(try await subscriber.receiveTexts() == ["event/front/x"])
      #expect(try await subscriber.receiveTexts() == ["event/front/y"])
      subscriber.unsubscribe("event/front/")
      _ = try await publisher.receive()
      subscriber.subscribe("other")
      _ = try await publisher.receive()
      #expect(try publisher.send("event/front/z"))
      #expect(try publisher.send("other"))
      #expect(try await subscriber.receiveTexts() == ["other"])
    }
  }

  @Test func `A plain publisher reaches a subscriber`() async throws {
    try await withBench { bench, context in
      let publisher = try Socket<Pub>(context, on: bench.loop)
      let subscriber = try Socket<Sub>(context, on: bench.loop)
      subscriber.subscribe([])
      try subscriber.connect(publisher.bind("tcp://127.0.0.1:*"))
      // A PUB socket does not report its subscribers.
      var message: [Message]?
      while message == nil {
        #expect(try publisher.send("news"))
        await Task.yield()
        message = try subscriber.receiveWaiting()
      }
      #expect(message?.map(\.text) == ["news"])
    }
  }

  @Test func `A publisher receives the first of equal subscriptions and the end of the last`()
    async throws
  {
    #expect(
      try await reports(.changes) == [
        Subscription(Array("a".utf8)), Subscription(Array("a".utf8), isBeginning: false),
      ]
    )
  }

  @Test func `A publisher can receive every subscription`() async throws {
    #expect(
      try await reports(.everyBeginning) == [
        Subscription(Array("a".utf8)), Subscription(Array("a".utf8)),
        Subscription(Array("a".utf8), isBeginning: false),
      ]
    )
  }

  @Test func `A publisher can also receive the end of every subscription`() async throws {
    #expect(
      try await reports(.all) == [
        Subscription(Array("a".utf8)), Subscription(Array("a".utf8)),
        Subscription(Array("a".utf8), isBeginning: false),
        Subscription(Array("a".utf8), isBeginning: false),
      ]
    )
  }

  /// The subscriptions that a publisher receives while a subscriber comes, another comes, the first
  /// leaves and the other leaves.
  private func reports(_ reports: Subscription.Reports) async throws -> [Subscription] {
    let heard = Mutex<[Subscription]>([])
    try await withBench { bench, context in
      let publisher = try Socket<XPub>(context, on: bench.loop)
      publisher.report(reports)
      let endpoint = try publisher.bind(Transport.inproc.endpoint)
      let subscribers = try (0..<2).map { _ in try Socket<XSub>(context, on: bench.loop) }
      for subscriber in subscribers { try subscriber.connect(endpoint) }
      for (step, isBeginning) in [true, true, false, false].enumerated() {
        let subscriber = subscribers[step % 2]
        let change = Subscription(Array("a".utf8), isBeginning: isBeginning)
        // A peer's subscriptions arrive in order, so any change has arrived before the mark.
        let mark = Subscription(Array("mark \(step)".utf8))
        #expect(try subscriber.send(change.bytes))
        #expect(try subscriber.send(mark.bytes))
        while let next = Subscription(try await publisher.receive()[0]), next != mark {
          heard.withLock { $0.append(next) }
        }
      }
    }
    return heard.withLock { $0 }
  }

  @Test func `A message that is not a subscription is recognised`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      #expect(try left.send(parts: [[2, 65]]))
      #expect(Subscription(try await right.receive()[0]) == nil)
      #expect(try left.send(parts: [[]]))
      #expect(Subscription(try await right.receive()[0]) == nil)
    }
  }
}
