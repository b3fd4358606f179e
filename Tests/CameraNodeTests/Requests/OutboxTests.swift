import EventLoop
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

@Suite(.timeLimit(.minutes(1))) struct OutboxTests {
  /// A router with an outbox, and a client that reads only when a test asks it to. All on one loop.
  private actor Bench: LoopActor {
    nonisolated let loop = EventLoop(name: "test-outbox")
    private let context: Context
    private var router: Socket<Router>?
    private var dealer: Socket<Dealer>?
    private var outbox: Outbox?
    private var address: [UInt8] = []
    private var hasRoomAgain: Suspension?

    init() throws { context = try Context() }

    func open(byteLimit: Int) async throws {
      let router = try Socket<Router>(context, on: loop)
      let dealer = try Socket<Dealer>(context, on: loop)
      dealer.receiveHighWaterMark = 1
      dealer.receiveBufferSize = 4096
      outbox = Outbox(router, byteLimit: byteLimit, totalByteLimit: 64 << 20)
      outbox?.onRoom { [weak self] client in self?.enter { $0.room(for: client) } }
      // The system buffers less over ipc than over tcp.
      try dealer.connect(router.bind("ipc://*"))
      _ = try dealer.send([1])
      address = try await router.receive()[0].bytes
      (self.router, self.dealer) = (router, dealer)
    }

    func close() {
      outbox = nil
      dealer?.close()
      router?.close()
    }

    func leave() { dealer?.close() }

    private func room(for client: [UInt8]) {
      #expect(client == address)
      hasRoomAgain?.resume()
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
    byteLimit: Int = 8 << 20, _ body: (Bench) async throws -> Void
  ) async throws {
    let bench = try Bench()
    try await bench.open(byteLimit: byteLimit)
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
