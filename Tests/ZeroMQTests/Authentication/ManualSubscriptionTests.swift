import CZeroMQ
import EventLoop
import Testing

@testable import ZeroMQ

/// Why this module offers no approval of single subscriptions.
@Suite(.timeLimit(.minutes(5)))
struct ManualSubscriptionTests {
  /// libzmq remembers the peers of subscriptions in one queue and all messages in another, and
  /// takes the head of both for each message (`xpub.cpp`, `xrecv`; so in 4.3.4 and 4.3.5). When
  /// this fails, a newer libzmq may be worth another look.
  @Test func `With ZMQ_XPUB_MANUAL an approval reaches another peer than the one that asked`()
    async throws
  {
    try await withBench { bench, context in
      let publisher = try Socket<XPub>(context, on: bench.loop)
      publisher.core.set(ZMQ_XPUB_MANUAL, Int32(1))
      // Over inproc everything has arrived before the publisher reads.
      let endpoint = try publisher.bind(Transport.inproc.endpoint)
      let first = try Socket<XSub>(context, on: bench.loop)
      try first.connect(endpoint)
      let second = try Socket<XSub>(context, on: bench.loop)
      try second.connect(endpoint)
      #expect(try first.send([2]))
      #expect(try first.send(Subscription(Array("for the first".utf8)).bytes))
      #expect(try second.send(Subscription(Array("for the second".utf8)).bytes))
      while let message = try publisher.receiveWaiting() {
        guard let change = Subscription(message[0]) else { continue }
        if change.prefix == Array("for the first".utf8) {
          publisher.core.set(ZMQ_SUBSCRIBE, change.prefix)
        }
      }
      #expect(try publisher.send("for the first"))
      #expect(try second.receiveWaiting()?.map(\.text) == ["for the first"])
      #expect(try first.receiveWaiting() == nil)
    }
  }
}
