import EventLoop
import OperatingSystem
import TestSupport
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct ReadinessTests {
  @Test(arguments: Transport.allCases)
  func `A handler that takes one message at a time is called until none is left`(
    _ transport: Transport
  ) async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop, transport)
      let reader = Reader(right)
      right.onReadable { reader.readOne() }
      for number in 0..<500 { #expect(try left.send("\(number)")) }
      await reader.events.atLeast(500)
      #expect(reader.texts == (0..<500).map(String.init))
      right.close()
    }
  }

  @Test func `Messages that arrive during a pause wait for its end`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop, .inproc)
      let reader = Reader(right)
      for number in 0..<3 { #expect(try left.send("\(number)")) }
      right.onReadable {
        reader.readOne()
        reader.pauseReading()
      }
      await reader.events.atLeast(1)
      // One round of the loop, in which the handler would be called.
      try await bench.loop.sleep(until: .now)
      #expect(reader.texts == ["0"])
      right.resumeReading()
      await reader.events.atLeast(2)
      try await bench.loop.sleep(until: .now)
      #expect(reader.texts == ["0", "1"])
      right.resumeReading()
      await reader.events.atLeast(3)
      #expect(reader.texts == ["0", "1", "2"])
      right.close()
    }
  }

  @Test func `A handler set while messages wait is called`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      #expect(try left.send("early"))
      let reader = Reader(right)
      right.onReadable { reader.readOne() }
      await reader.events.atLeast(1)
      #expect(reader.texts == ["early"])
      right.close()
    }
  }

  @Test func `A reply whose signal was used up by a send is still reported`() async throws {
    try await withBench { bench, context in
      let left = try Socket<Pair>(context, on: bench.loop)
      let endpoint = try left.bind(Transport.inproc.endpoint)
      let reader = Reader(left)
      left.onReadable { reader.readOne() }
      let answered = Mutex(false)
      let other = EventLoop(name: "other")
      let peer = Peer(other)
      try await peer.connect(to: endpoint, context) { answered.withLock { $0 = true } }
      // Nothing else runs on this loop until the reply has come, and each send makes libzmq look
      // for news.
      while !answered.withLock({ $0 }) { _ = try left.send("question") }
      for _ in 0..<10 { _ = try left.send("question") }
      await reader.events.atLeast(1)
      #expect(reader.texts.first == "answer")
      await peer.close()
      other.stop()
      left.close()
    }
  }

  @Test func `Other work gets its turn while a socket always has messages`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let reader = Reader(right) { _ = try? left.send("again") }
      right.onReadable { reader.readOne() }
      #expect(try left.send("first"))
      await reader.events.atLeast(3)
      try await bench.loop.sleep(until: .now + .milliseconds(1))
      right.close()
      left.close()
    }
  }

  @Test func `A closed socket releases its handler and does not call it again`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let released = Recorded<Void>()
      do {
        let blob = Blob(count: 1) { released.add() }
        right.onReadable { [blob] in
          _ = blob
          Issue.record("called after the close")
        }
      }
      #expect(try left.send("unread"))
      right.close()
      #expect(released.events.count == 1)
      try await bench.loop.sleep(until: .now)
    }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct AsyncReceiveTests {
  @Test func `A wait ends with the message it waited for`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      // This runs on the same loop, so the wait below begins first.
      let sender = Reader(left)
      bench.loop.perform { sender.send("late") }
      #expect(try await right.receiveTexts() == ["late"])
    }
  }

  @Test func `A cancelled wait ends without losing a message`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let reader = Reader(right)
      let task = Task { try await bench.receive(from: reader) }
      // The task's job comes first, so the task is waiting afterwards.
      try await bench.loop.sleep(until: .now)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try left.send("for the next"))
      #expect(try await right.receiveTexts() == ["for the next"])
    }
  }

  @Test func `Two waiting tasks get one message each`() async throws {
    try await withBench { bench, context in
      let (left, right) = try connectedPair(context, bench.loop)
      let reader = Reader(right)
      let tasks = (0..<2).map { _ in Task { try await bench.receive(from: reader) } }
      try await bench.loop.sleep(until: .now)
      #expect(try left.send("1"))
      #expect(try left.send("2"))
      var texts: Set<String> = []
      for task in tasks { texts.formUnion(try await task.value) }
      #expect(texts == ["1", "2"])
    }
  }

  @Test func `Closing the socket ends the wait with its reason`() async throws {
    try await withBench { bench, context in
      let (_, right) = try connectedPair(context, bench.loop)
      let reader = Reader(right)
      bench.loop.perform { reader.close() }
      #expect(await right.receiveFailure()?.code == .socketClosed)
    }
  }

  @Test func `Stopping the loop ends the wait`() async throws {
    let context = try Context()
    let loop = EventLoop(name: "stop")
    let bench = Bench(loop)
    let began = Recorded<Void>()
    let task = Task {
      try await bench.run { bench in
        let (_, right) = try connectedPair(context, bench.loop)
        bench.loop.perform { began.add() }
        _ = try await right.receive()
      }
    }
    await began.atLeast(1)
    loop.stop()
    await #expect(throws: CancellationError.self) { try await task.value }
    try context.close()
  }
}

// Sendable: only the socket's loop uses it, which the socket itself checks.
/// Holds a socket for handlers and tasks of its loop.
final class Reader: @unchecked Sendable {
  let events = Recorded<Void>()
  private(set) var texts: [String] = []
  private let socket: Socket<Pair>
  private let onRead: () -> Void

  init(_ socket: Socket<Pair>, onRead: @escaping () -> Void = {}) {
    self.socket = socket
    self.onRead = onRead
  }

  func readOne() {
    do {
      guard let message = try socket.receive() else { return }
      texts.append(message[0].text)
      onRead()
      events.add()
    } catch {
      Issue.record(error)
    }
  }

  func send(_ text: String) {
    #expect(throws: Never.self) { try socket.send(text) }
  }

  func pauseReading() { socket.pauseReading() }

  func close() { socket.close() }

  func receive() async throws -> [String] { try await socket.receiveTexts() }
}

extension Bench {
  fileprivate func receive(from reader: Reader) async throws -> [String] {
    try await reader.receive()
  }
}

/// Answers the first question, on its own loop.
private actor Peer {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private var socket: Socket<Pair>?
  private var onAnswer: (@Sendable () -> Void)?

  init(_ loop: EventLoop) { self.loop = loop }

  func connect(
    to endpoint: String,
    _ context: Context,
    onAnswer: @escaping @Sendable () -> Void
  ) throws {
    let socket = try Socket<Pair>(context, on: loop)
    try socket.connect(endpoint)
    socket.onReadable { self.assumeIsolated { $0.answer() } }
    self.socket = socket
    self.onAnswer = onAnswer
  }

  func close() {
    socket?.close()
    socket = nil
  }

  private func answer() {
    while let message = try? socket?.receive(), !message.isEmpty {
      guard let onAnswer, (try? socket?.send("answer")) == true else { continue }
      self.onAnswer = nil
      onAnswer()
    }
  }
}
