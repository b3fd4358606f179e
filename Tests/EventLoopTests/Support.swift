import EventLoop
import Glibc
import OperatingSystem
import TestSupport

import struct Synchronization.Atomic

/// Calls `body` with a loop and then stops the loop.
func withLoop<R>(_ body: (EventLoop) async throws -> R) async rethrows -> R {
  let loop = EventLoop(name: "test")
  defer { loop.stop() }
  return try await body(loop)
}

extension EventLoop {
  /// Waits until the loop has done a full round, including its sleep.
  func finishRound() async {
    // The second call runs after the sleep of the round in which the first one ran.
    await run {}
    await run {}
  }
}

/// A pipe that is closed with its last reference.
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

  /// Reads one byte.
  /// - Returns: Whether there was one.
  @discardableResult
  func read() -> Bool {
    var byte: UInt8 = 0
    return unsafe Glibc.read(reader, &byte, 1) == 1
  }

  func closeWriter() {
    if isWriterOpen.exchange(false, ordering: .relaxed) { close(writer) }
  }
}

/// Holds a value that a handler needs but that is made after the handler.
final class Box<Value: Sendable>: Sendable {
  private let stored: Mutex<Value?> = Mutex(nil)
  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
