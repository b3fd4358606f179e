import EventLoop
import Glibc
import OperatingSystem
import TestSupport

import struct Synchronization.Atomic

/// Gives `body` a loop that is stopped afterwards.
func withLoop<R>(_ body: (EventLoop) async throws -> R) async rethrows -> R {
  let loop = EventLoop(name: "test")
  defer { loop.stop() }
  return try await body(loop)
}

extension EventLoop {
  /// Returns when the loop has done a full round since the call, sleep included.
  func finishRound() async {
    // The first is run in some round, so the second begins after that round's wait.
    await run {}
    await run {}
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

/// A place for what a handler needs that is made after it.
final class Box<Value: Sendable>: Sendable {
  private let stored: Mutex<Value?> = Mutex(nil)
  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
