import EventLoop
import Glibc

import struct Synchronization.Atomic

/// Gives `body` a loop that is stopped afterwards.
func withLoop<R>(_ body: (EventLoop) async throws -> R) async rethrows -> R {
  let loop = EventLoop(name: "test")
  defer { loop.stop() }
  return try await body(loop)
}

extension EventLoop {
  /// The result of `body`, run on the loop's thread.
  func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: body()) }
    }
  }

  /// Returns when the loop has done a full round since the call, sleep included.
  func finishRound() async {
    // The first is run in some round, so the second begins after that round's wait.
    await run {}
    await run {}
  }
}

/// Notes what happened in which order, and waits for things to happen.
final class Log: Sendable {
  private let entries = Mutex<[String]>([])
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  var all: [String] { entries.withLock { $0 } }

  func add(_ entry: String) {
    entries.withLock { $0.append(entry) }
    continuation.yield()
  }

  /// Waits until there are `count` entries and returns them all. One caller at a time.
  func first(_ count: Int) async -> [String] {
    var iterator = stream.makeAsyncIterator()
    while all.count < count { await iterator.next() }
    return all
  }
}

/// A pipe that closes with its last reference.
final class Pipe: Sendable {
  let reader: Int32
  let writer: Int32
  private let isWriterOpen = Atomic(true)

  init() {
    var ends: [Int32] = [0, 0]
    let status = unsafe pipe(&ends)
    precondition(status == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    closeWriter()
  }

  func write() {
    var byte: UInt8 = 1
    _ = unsafe Glibc.write(writer, &byte, 1)
  }

  /// Takes one byte; false when there is none.
  @discardableResult
  func read() -> Bool {
    var byte: UInt8 = 0
    return unsafe Glibc.read(reader, &byte, 1) == 1
  }

  func closeWriter() {
    if isWriterOpen.exchange(false, ordering: .relaxed) { close(writer) }
  }
}

/// Something to see the end of.
final class Witness: Sendable {
  private let onEnd: @Sendable () -> Void
  init(_ onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }
  deinit { onEnd() }
}

/// A place for what a handler needs that is made after it.
final class Box<Value: Sendable>: Sendable {
  private let stored: Mutex<Value?> = Mutex(nil)
  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
