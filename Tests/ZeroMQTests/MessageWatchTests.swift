import EventLoop
import TestSupport
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct MessageWatchTests {
  private static let longestPart = 1000
  /// More than the watch lets wait.
  private static let burst = 4 << 20

  @Test(arguments: [0, 100, 1000])
  func `A message that does not end ends the connection, again and again`(length: Int) async throws
  {
    let sender = try EndlessSender(
      as: "XPUB", part: [UInt8](repeating: 1, count: length), burst: Self.burst)
    try await withBench { bench, context in
      let reader = try WatchedReader(context, bench.loop, sender.endpoint, Self.longestPart)
      var ends = sender.ends.makeAsyncIterator()
      for _ in 0..<2 { try #require(await ends.next()) }
      await reader.events.wait { $0.filter { $0 == .ended }.count >= 2 }
      reader.close()
    }
  }

  /// Nobody reads them until the watch measures. Together they are far longer than one may be.
  @Test func `Whole messages that wait do not end the connection`() async throws {
    try await withBench { bench, context in
      let publisher = try Socket<XPub>(context, on: bench.loop)
      publisher.sendHighWaterMark = 0
      publisher.report(.all)
      let endpoint = try publisher.bind("tcp://127.0.0.1:*")
      let reader = try WatchedReader(context, bench.loop, endpoint, Self.longestPart)
      _ = try await publisher.receive()
      let message = [UInt8](repeating: 1, count: Self.longestPart)
      for round in 1...3 {
        for _ in 0..<5000 { #expect(try publisher.send(message)) }
        await reader.events.atLeast(5000 * round)
      }
      #expect(!reader.events.events.contains(.ended))
      reader.close()
      publisher.close()
    }
  }

  @Test func `What does not count as a message is no message`() {
    var message = UnfinishedMessage(longestPart: 0, after: 100)
    for second in 1...10 as ClosedRange<UInt64> {
      // Pings, and a small message.
      message.read(10)
      let isTooLong = message.takes(100 + second * 1_000_000)
      #expect(!isTooLong)
    }
  }

  @Test func `Messages of the connection before do not count`() {
    var message = UnfinishedMessage(longestPart: 0)
    message.read(100_000_000)
    let results = [message.takes(10), message.takes(1_100_000)]
    #expect(results == [false, true])
  }

  @Test func `A message may come slowly, and another after it`() {
    var message = UnfinishedMessage(longestPart: 10_000_000)
    for start in [0, 10_000_009] as [UInt64] {
      for taken in stride(from: start, through: start + 10_000_000, by: 1000) {
        let isTooLong = message.takes(taken, growth: 1000)
        #expect(!isTooLong)
      }
      message.read(10_000_009)
    }
  }

  @Test func `Where no bytes are counted, the growth of the process is the bound`() {
    var message = UnfinishedMessage(longestPart: 0)
    // The first growth may be that of a message that was read.
    let first = [message.takes(nil, growth: 2 << 30), message.takes(nil, growth: 1 << 29)]
    message.read(1)
    let second = [2 << 30, 1 << 29, -(1 << 29), 1 << 29, (1 << 29) + (2 << 20)].map { growth in
      message.takes(nil, growth: growth)
    }
    #expect(first == [false, false])
    #expect(second == [false, false, false, false, true])
  }
}

extension UnfinishedMessage {
  fileprivate mutating func takes(_ taken: UInt64?, growth: Int = 0) -> Bool {
    isTooLong(before: taken, after: taken, growth: growth)
  }
}

// Sendable: used on the loop's thread only.
/// Reads messages only when the watch of its socket asks for them.
private final class WatchedReader: @unchecked Sendable {
  enum Event { case message, ended }

  let events = Recorded<Event>()
  private let socket: Socket<Sub>
  private var watch: MessageWatch?

  init(_ context: Context, _ loop: EventLoop, _ endpoint: String, _ longestPart: Int) throws {
    socket = try Socket<Sub>(context, on: loop)
    socket.receiveHighWaterMark = 0
    socket.reconnectInterval = .milliseconds(1)
    socket.subscribe("")
    watch = try MessageWatch(
      on: loop, longestPart: longestPart,
      readAll: { [weak self] in self?.readAll() },
      onEnd: { [events] in events.add(.ended) })
    try socket.onMonitorEvent { [weak self] event in self?.watch?.observe(event) }
    try socket.connect(endpoint)
  }

  func close() {
    watch?.close()
    socket.close()
  }

  private func readAll() {
    while let message = try? socket.receive() as [Message]? {
      watch?.read(message.wireByteCount(isEncrypted: false))
      events.add(.message)
    }
  }
}
