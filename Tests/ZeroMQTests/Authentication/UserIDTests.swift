import EventLoop
import Testing
import ZeroMQ

/// Where libzmq 4.3 says who a publisher's peer is.
@Suite(.timeLimit(.minutes(5)))
struct UserIDTests {
  @Test func `The begin and end of a subscription carry the peer's name`() async throws {
    try await withAdmittedSubscriber { publisher, subscriber in
      subscriber.subscribe("a")
      let begin: [Message] = try await publisher.receive()
      #expect(begin.first.flatMap { Subscription($0) } == Subscription(Array("a".utf8)))
      #expect(begin.first?.userID == "watcher")
      subscriber.unsubscribe("a")
      let end: [Message] = try await publisher.receive()
      #expect(end.first.flatMap { Subscription($0) }?.isBeginning == false)
      #expect(end.first?.userID == "watcher")
    }
  }

  @Test func `An end that a lost connection makes carries no name`() async throws {
    try await withAdmittedSubscriber { publisher, subscriber in
      subscriber.subscribe("a")
      _ = try await publisher.receive()
      subscriber.close()
      let end: [Message] = try await publisher.receive()
      #expect(end.first.flatMap { Subscription($0) }?.isBeginning == false)
      #expect(end.first?.userID == nil)
    }
  }
}

private func withAdmittedSubscriber(
  _ body: @Sendable (Socket<XPub>, Socket<Sub>) async throws -> Void
) async throws {
  try await withBench { bench, context in
    let handler = try ZAPHandler(context, on: bench.loop) { _ in .admitted(as: "watcher") }
    let keys = try CurveKeyPair.generate()
    let publisher = try Socket<XPub>(context, on: bench.loop)
    publisher.report(.all)
    try publisher.encrypt(asServer: keys)
    try publisher.requireAdmission(to: "events")
    let subscriber = try Socket<Sub>(context, on: bench.loop)
    try subscriber.encrypt(asClient: .generate(), of: keys.publicKey)
    try subscriber.connect(publisher.bind("tcp://127.0.0.1:*"))
    try await body(publisher, subscriber)
    handler.close()
  }
}
