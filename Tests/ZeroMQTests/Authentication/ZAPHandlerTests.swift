import CZeroMQ
import Dispatch
import EventLoop
import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import ZeroMQ

/// A router that requires admission, its handler, and what the handler was asked.
private final class Gate {
  let keys: CurveKeyPair
  let router: Socket<Router>
  let endpoint: String
  let asked = Recorded<ConnectionRequest>()

  init(
    _ context: Context, on loop: EventLoop, isEncrypted: Bool = true,
    handshakeTimeout: Duration = .seconds(30)
  ) throws {
    keys = try .generate()
    router = try Socket<Router>(context, on: loop)
    router.handshakeTimeout = handshakeTimeout
    if isEncrypted { try router.encrypt(asServer: keys) }
    try router.requireAdmission(to: "requests")
    endpoint = try router.bind(Transport.tcp.endpoint)
  }

  func handler(
    _ context: Context, on loop: EventLoop, _ admission: @escaping @Sendable () -> Admission
  ) throws -> ZAPHandler {
    try ZAPHandler(context, on: loop) { [asked] request in
      asked.add(request)
      return admission()
    }
  }

  func client(
    _ context: Context, on loop: EventLoop, _ keys: CurveKeyPair
  ) throws -> Socket<Dealer> {
    let dealer = try Socket<Dealer>(context, on: loop)
    try dealer.encrypt(asClient: keys, of: self.keys.publicKey)
    try dealer.connect(endpoint)
    return dealer
  }
}

@Suite(.timeLimit(.minutes(5)))
struct ZAPHandlerTests {
  @Test func `An admitted key's messages carry its name in every part`() async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop)
      let handler = try gate.handler(context, on: bench.loop) { .admitted(as: "front door") }
      let keys = try CurveKeyPair.generate()
      let dealer = try gate.client(context, on: bench.loop, keys)
      #expect(try dealer.send("one", "two"))
      let message: [Message] = try await gate.router.receive()
      #expect(message.dropFirst().map(\.userID) == ["front door", "front door"])
      #expect(
        gate.asked.events == [
          ConnectionRequest(
            domain: "requests", origin: .address("127.0.0.1"), credentials: .curve(keys.publicKey))
        ])
      handler.close()
    }
  }

  @Test func `A refused key learns that it was refused, and cannot send`() async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop)
      let handler = try gate.handler(context, on: bench.loop) { .refused }
      let dealer = try gate.client(context, on: bench.loop, .generate())
      let events = try dealer.monitor()
      #expect(try dealer.send("let me in"))
      #expect(await events.firstFailure() == .refused(status: 400))
      #expect(try gate.router.receiveWaiting() == nil)
      handler.close()
    }
  }

  @Test func `A peer that is told to wait comes again and is admitted`() async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop, handshakeTimeout: .seconds(1))
      let handler = try gate.handler(context, on: bench.loop) { [asked = gate.asked] in
        asked.events.count == 1 ? .notNow : .admitted(as: "patient")
      }
      let dealer = try gate.client(context, on: bench.loop, .generate())
      #expect(try dealer.send("hello"))
      #expect(try await gate.router.receive().last?.userID == "patient")
      #expect(gate.asked.events.count >= 2)
      handler.close()
    }
  }

  @Test(arguments: [true, false])
  func `Without a handler nobody gets in`(isEncrypted: Bool) async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop, isEncrypted: isEncrypted)
      try await expectNobodyGetsIn(to: gate, context, bench, isEncrypted: isEncrypted)
    }
  }

  @Test func `When the handler has ended nobody gets in, and those who are in stay`() async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop)
      let handler = try gate.handler(context, on: bench.loop) { .admitted(as: "early") }
      let early = try gate.client(context, on: bench.loop, .generate())
      #expect(try early.send("before"))
      _ = try await gate.router.receive()
      handler.close()
      try await expectNobodyGetsIn(to: gate, context, bench, isEncrypted: true)
      #expect(try early.send("after"))
      #expect(try await gate.router.receive().last?.text == "after")
    }
  }

  @Test func `A handler that does not answer lets nobody in`() async throws {
    try await withBench { bench, context in
      let loop = EventLoop(name: "handler")
      let gate = try Gate(context, on: bench.loop, handshakeTimeout: .milliseconds(100))
      let handler = try await loop.run { () throws(ZeroMQError) in
        try ZAPHandler(context, on: loop) { _ in .admitted(as: "late") }
      }
      let (begin, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      loop.perform {
        begin.signal()
        release.wait()
      }
      // Or else the handler could still answer before it is held up.
      begin.wait()
      try await expectNobodyGetsIn(to: gate, context, bench, isEncrypted: true)
      release.signal()
      await loop.run { handler.close() }
      loop.stop()
    }
  }

  @Test func `A context has one handler`() async throws {
    try await withBench { bench, context in
      let first = try ZAPHandler(context, on: bench.loop) { _ in .refused }
      // (A closure in `#expect(throws:)` would leave the loop.)
      do throws(ZeroMQError) {
        _ = try ZAPHandler(context, on: bench.loop) { _ in .refused }
        Issue.record("there are two")
      } catch {
        #expect(error.code == .addressInUse)
      }
      first.close()
    }
  }

  enum Stranger: CaseIterable, Sendable { case silent, password, otherServerKey }

  @Test(arguments: Stranger.allCases)
  func `A peer without CURVE or with another server key is not even judged`(
    _ stranger: Stranger
  ) async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop)
      let handler = try gate.handler(context, on: bench.loop) { .admitted(as: "anybody") }
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      switch stranger {
      case .silent: break
      case .password:
        dealer.core.set(ZMQ_PLAIN_USERNAME, Array("admin".utf8))
        dealer.core.set(ZMQ_PLAIN_PASSWORD, Array("secret".utf8))
      case .otherServerKey:
        try dealer.encrypt(asClient: .generate(), of: CurveKeyPair.generate().publicKey)
      }
      let failed = try gate.router.monitor()
      try dealer.connect(gate.endpoint)
      #expect(try dealer.send("let me in"))
      #expect(await failed.firstFailure() != nil)
      #expect(try gate.router.receiveWaiting() == nil)
      #expect(gate.asked.events.isEmpty)
      handler.close()
    }
  }

  @Test func `Over ipc the handler judges the peer's process`() async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop)
      try gate.router.stopEncrypting()
      let endpoint = try gate.router.bind("ipc://*")
      let handler = try gate.handler(context, on: bench.loop) { .admitted(as: "owner") }
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      try dealer.connect(endpoint)
      #expect(try dealer.send("hello"))
      #expect(try await gate.router.receive().last?.userID == "owner")
      #expect(
        gate.asked.events == [
          ConnectionRequest(
            domain: "requests", origin: .process(getpid(), user: geteuid(), group: getegid()),
            credentials: .null)
        ])
      // The endpoint that was bound before still encrypts.
      try await expectNobodyGetsIn(to: gate, context, bench, isEncrypted: false)
      handler.close()
    }
  }

  @Test func `A peer can choose its name only where no admission is required`() async throws {
    try await withBench { bench, context in
      let gate = try Gate(context, on: bench.loop, isEncrypted: false)
      let open = try Socket<Router>(context, on: bench.loop)
      let openEndpoint = try open.bind("tcp://127.0.0.1:*")
      // On a loop of its own, because a raw peer waits on the bench's for the handshake.
      let loop = EventLoop(name: "handler")
      let handler = try await loop.run { () throws(ZeroMQError) in
        try ZAPHandler(context, on: loop) { _ in .admitted(as: "nobody") }
      }
      let hello = Array("hello".utf8)
      let liar = try RawPeer(gate.endpoint, as: "DEALER", userID: "root")
      try liar.send(message: hello)
      #expect(try await gate.router.receive().last?.userID == "nobody")
      let peer = try RawPeer(openEndpoint, as: "DEALER", userID: "root")
      try peer.send(message: hello)
      #expect(try await open.receive().last?.userID == "root")
      await loop.run { handler.close() }
      loop.stop()
    }
  }
}

/// A client of the gate fails in its handshake, and sends nothing.
private func expectNobodyGetsIn(
  to gate: Gate, _ context: Context, _ bench: isolated Bench, isEncrypted: Bool
) async throws {
  let dealer = try Socket<Dealer>(context, on: bench.loop)
  if isEncrypted { try dealer.encrypt(asClient: .generate(), of: gate.keys.publicKey) }
  let events = try gate.router.monitor()
  try dealer.connect(gate.endpoint)
  #expect(try dealer.send("let me in"))
  #expect(await events.firstFailure() != nil)
  #expect(try gate.router.receiveWaiting() == nil)
}

extension AsyncStream<MonitorEvent> {
  /// Why the first handshake failed; nil if one succeeds before.
  fileprivate func firstFailure() async -> MonitorEvent.HandshakeFailure? {
    for await event in self {
      if case .handshakeFailed(let reason) = event.kind { return reason }
      if event.kind == .handshakeSucceeded { return nil }
    }
    return nil
  }
}
