import EventLoop
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

@Suite(.timeLimit(.minutes(5))) struct OutboxTests {
  /// A router with an outbox, and a client that reads only when a test asks it to. All on one loop.
  private actor Bench: LoopActor {
    nonisolated let loop = EventLoop(name: "test-outbox")
    private let context: Context
    private var router: Socket<Router>?
    private var dealer: Socket<Dealer>?
    private var outbox: Outbox?
    /// Clients that read nothing.
    private var stopped: [Socket<Dealer>] = []
    private var endpoint = ""
    private var address: [UInt8] = []
    private var hasRoomAgain: Suspension?

    init() throws { context = try Context() }

    func open(byteLimit: Int, totalByteLimit: Int) async throws {
      let router = try Socket<Router>(context, on: loop)
      let dealer = try Socket<Dealer>(context, on: loop)
      dealer.receiveHighWaterMark = 1
      dealer.receiveBufferSize = 4096
      outbox = Outbox(
        router, byteLimit: byteLimit, totalByteLimit: totalByteLimit, end: { _ = $0.end() })
      outbox?.onRoom { [weak self] client in self?.enter { $0.room(for: client) } }
      // The system buffers less over ipc than over tcp.
      endpoint = try router.bind("ipc://*")
      try dealer.connect(endpoint)
      _ = try dealer.send([1])
      address = try await router.receive()[0].bytes
      (self.router, self.dealer) = (router, dealer)
    }

    func close() {
      outbox = nil
      dealer?.close()
      for socket in stopped { socket.close() }
      router?.close()
    }

    func leave() { dealer?.close() }

    /// Connects a client that reads nothing, and returns its address.
    func addStopped() async throws -> [UInt8] {
      guard let router else { return [] }
      let new = try Socket<Dealer>(context, on: loop)
      new.receiveHighWaterMark = 1
      new.receiveBufferSize = 4096
      try new.connect(endpoint)
      _ = try new.send([1])
      stopped.append(new)
      return try await router.receive()[0].bytes
    }

    private func room(for client: [UInt8]) {
      if client == address { hasRoomAgain?.resume() }
    }

    func send(_ byteCount: Int, of message: Int = 10, to client: [UInt8]? = nil) -> Outbox.Delivery
    {
      let reply = ReplyParts(
        message: [UInt8](repeating: 1, count: message),
        attachment: [UInt8](repeating: 2, count: byteCount))
      return outbox?.send(reply, to: client ?? address) ?? .gone
    }

    var hasRoom: Bool { outbox?.hasRoom(for: address) ?? false }

    /// Reads `count` replies and returns the size of each in bytes.
    func read(_ count: Int) async throws -> [Int] {
      var sizes: [Int] = []
      for _ in 0..<count {
        guard let parts = try await dealer?.receive() else { break }
        sizes.append(parts.dropFirst().reduce(0) { $0 + $1.count })
      }
      return sizes
    }

    /// Reads until the outbox reports room for the client.
    func readUntilRoom() async throws {
      try await loop.suspend { suspension in
        let isWaiting = self.assumeIsolated { bench in
          guard !bench.hasRoom else { return false }
          bench.hasRoomAgain = suspension
          bench.dealer?.onReadable { [weak bench] in
            bench?.assumeIsolated { _ = try? $0.dealer?.receive() }
          }
          return true
        }
        return isWaiting ? {} : nil
      }
    }
  }

  private func withBench(
    byteLimit: Int = 8 << 20, totalByteLimit: Int = 64 << 20, _ body: (Bench) async throws -> Void
  ) async throws {
    let bench = try Bench()
    try await bench.open(byteLimit: byteLimit, totalByteLimit: totalByteLimit)
    try await attempt {
      try await body(bench)
    } finally: {
      await bench.close()
      bench.loop.stop()
    }
  }

  @Test func `A client that does not read gets up to the limit, and all of it when it reads`()
    async throws
  {
    try await withBench(byteLimit: 4 << 20) { bench in
      var sent = 0
      while await bench.send(100_000, of: 1000) == .sent { sent += 1 }
      #expect((4 << 20) / 101_000...(6 << 20) / 101_000 ~= sent)
      #expect(await bench.send(100_000, of: 1000) == .noRoom)
      let sizes = try await bench.read(sent)
      #expect(sizes == Array(repeating: 101_000, count: sent))
    }
  }

  @Test func `A client that keeps up has room; one that does not has none until it reads`()
    async throws
  {
    try await withBench { bench in
      #expect(await bench.hasRoom)
      while await bench.hasRoom { #expect(await bench.send(100_000) == .sent) }
      try await bench.readUntilRoom()
      #expect(await bench.hasRoom)
    }
  }

  @Test func `Replies that wait for a client are dropped when the client leaves`() async throws {
    try await withBench { bench in
      while await bench.hasRoom { #expect(await bench.send(100_000) == .sent) }
      await bench.leave()
      try await bench.readUntilRoom()
      while await bench.send(10) != .gone { await Task.yield() }
    }
  }

  @Test func `What ended connections still hold leaves room for clients for which nothing waits`()
    async throws
  {
    try await withBench(totalByteLimit: 8 << 20) { bench in
      let (first, second) = (try await bench.addStopped(), try await bench.addStopped())
      // The outbox does not know their connections and cannot end them, so libzmq frees nothing.
      for _ in 0..<40 { #expect(await bench.send(100_000, to: first) == .sent) }
      var outcome = Outbox.Delivery.sent
      while outcome == .sent { outcome = await bench.send(100_000, to: second) }
      // The first was ended, and takes more than a quarter of the limit but not half.
      #expect(outcome == .noRoom)
      #expect(await bench.send(100_000) == .sent)
      #expect(try await bench.read(1) == [100_010])
      // Now the second is ended too.
      let third = try await bench.addStopped()
      #expect(await bench.send(5_000_000, to: third) == .sent)
      #expect(await bench.send(100_000) == .noRoom)
    }
  }

  @Test func `A reply to an unknown address reports that the client is gone`() async throws {
    try await withBench { bench in
      #expect(await bench.send(10, to: [7, 7]) == .gone)
      #expect(await bench.send(10) == .sent)
    }
  }

  @Test func `The number of small replies is bounded`() async throws {
    try await withBench { bench in
      var sent = 0
      while await bench.send(10) == .sent { sent += 1 }
      #expect(sent >= Outbox.messageLimit)
      #expect(await bench.send(10) == .noRoom)
    }
  }
}
