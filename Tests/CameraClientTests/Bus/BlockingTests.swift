import CameraClient
import CameraProtocol
import Digest
import Dispatch
import EventLoop
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

/// Nothing that waits for a disk or for another thread does so on its caller's thread.
@Suite(.timeLimit(.minutes(5)))
struct BlockingTests {
  private static let bytes = [UInt8](repeating: 7, count: 64_000)

  /// If closing kept the caller's thread, the task behind it could not open the gate, and the
  /// connection's thread would never come to its end.
  @Test func `Closing leaves the caller's thread to other tasks`() async throws {
    try await withFakeNode { _, bus in
      _ = try await bus.status()
      try await withThread { thread in
        let gate = DispatchSemaphore(value: 0)
        let (blocked, continuation) = AsyncStream.makeStream(of: Void.self)
        let blocking = Task(executorPreference: bus.executor) {
          continuation.finish()
          wait(for: gate)
        }
        for await _ in blocked {}
        let closing = Task(executorPreference: thread) { await bus.close() }
        let opening = Task(executorPreference: thread) { _ = gate.signal() }
        await opening.value
        await closing.value
        await blocking.value
      }
    }
  }

  @Test func `A connection that is being closed is waited for by every caller`() async throws {
    try await withFakeNode { _, bus in
      async let first: Void = bus.close()
      async let second: Void = bus.close()
      _ = await (first, second)
      await bus.close()
      let error = await failure { () throws(CameraBusError) in _ = try await bus.status() }
      #expect(error?.code == .closed)
    }
  }

  @Test func `A photo is written on another thread than its caller's`() async throws {
    try await withFakeNode { node, bus in
      async let taken = bus.camera("cam").capture()
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.reply(
        to: request, .captureProgress(.init()), isFinal: false, attachment: Self.bytes)
      let result = WireCaptureResult.with { $0.sha256 = Data(Self.bytes.sha256.bytes) }
      try await node.reply(to: request, .capture(result), index: 2)
      let photo = try await taken
      let file = try TemporaryFile()
      let path = file.path
      let io = try await Self.io(of: { try await photo.write(to: path) })
      #expect(file.bytes == Self.bytes)
      #expect(io.written < Self.bytes.count)
    }
  }

  @Test func `A download reads and writes its file on another thread than its caller's`()
    async throws
  {
    try await withFakeNode { node, bus in
      let file = try TemporaryFile()
      let path = file.path
      let part = Self.bytes.count / 2
      try file.writePart(Self.bytes.prefix(part))
      let asset = try #require(Asset(.asset(Self.bytes)))
      async let done = Self.io(of: { try await bus.download(asset, to: path) })
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      try await node.send(Self.bytes, from: part, Self.bytes.count - part, to: request)
      try await node.reply(to: request, .download(.init()), index: 100_000)
      let io = try await done
      #expect(file.bytes == Self.bytes)
      #expect(io.written < part)
      #expect(io.read < part)
    }
  }

  // MARK: The caller's thread

  /// What `body`'s own thread reads and writes while it runs, by the kernel's counters of that
  /// thread.
  private static func io(
    of body: @escaping @Sendable () async throws -> Void
  ) async throws -> (read: Int, written: Int) {
    try await withThread { thread in
      try await Task(executorPreference: thread) {
        let before = try ThreadIO.current()
        try await body()
        let after = try ThreadIO.current()
        return (after.read - before.read, after.written - before.written)
      }.value
    }
  }
}

/// Runs `body` with a thread that runs one task after another.
private func withThread<R: Sendable>(
  _ body: (EventLoop) async throws -> R
) async throws -> R {
  let thread = EventLoop(name: "caller")
  do {
    let result = try await body(thread)
    thread.stop()
    return result
  } catch {
    thread.stop()
    throw error
  }
}

private func wait(for gate: DispatchSemaphore) {
  gate.wait()
}

/// The bytes that the calling thread has read and written in its life (proc(5), `/proc/pid/io`).
private struct ThreadIO {
  var read = 0
  var written = 0

  static func current() throws -> ThreadIO {
    let text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: "/proc/thread-self/io")), as: UTF8.self)
    var io = ThreadIO()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      let count = try #require(Int(parts[1]))
      if parts[0] == "rchar:" { io.read = count }
      if parts[0] == "wchar:" { io.written = count }
    }
    return io
  }
}
