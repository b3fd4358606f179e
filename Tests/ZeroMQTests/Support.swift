import EventLoop
import Foundation
import Testing
import ZeroMQ

/// Where a test's body lives: sockets are its local variables, and it may wait for their messages.
actor Bench {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func run(_ body: @Sendable (isolated Bench) async throws -> Void) async throws {
    try await body(self)
  }
}

/// Runs `body` on a loop's thread. All its sockets must be closed, or let go, at its end: the context says if not.
func withBench(
  _ body: @Sendable (isolated Bench, Context) async throws -> Void
) async throws {
  let context = try Context()
  let loop = EventLoop(name: "bench")
  let bench = Bench(loop)
  do {
    try await bench.run { bench in try await body(bench, context) }
  } catch {
    loop.stop()
    throw error
  }
  loop.stop()
  try context.close()
}

extension Socket where Role: ReceivingRole {
  /// What waits now. In an async body the plain call means the one that waits.
  func receiveWaiting() throws(ZeroMQError) -> [Message]? { try receive() }

  /// Why there is no next message. (A closure given to `#expect(throws:)` would leave the loop.)
  func receiveFailure() async -> ZeroMQError? {
    do {
      let message: [Message] = try await receive()
      Issue.record("a message of \(message.count) parts came")
      return nil
    } catch {
      return error as? ZeroMQError
    }
  }

  /// The next message as texts, one for each part.
  func receiveTexts() async throws -> [String] {
    try await receive().map(\.text)
  }
}

extension Socket where Role: SendingRole {
  /// Sends texts as one message; false when it would have to wait.
  func send(_ texts: String...) throws -> Bool { try send(parts: texts.map { Array($0.utf8) }) }

  func send(parts: [[UInt8]]) throws -> Bool {
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard try send(part, more: !isLast) else { return false }
    }
    return true
  }
}

extension RawSpan {
  var text: String {
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension Message {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The transports that tests run over, and where.
enum Transport: CaseIterable, Sendable {
  case inproc, ipc, tcp

  /// Any free one.
  var endpoint: String {
    switch self {
    case .inproc: "inproc://\(UUID())"
    case .ipc: "ipc://*"
    case .tcp: "tcp://127.0.0.1:*"
    }
  }
}

// Sendable: its bytes do not change once it is made.
/// Bytes to be sent without a copy, whose end can be awaited.
@safe final class Blob: SharedBytes, @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer
  private let onEnd: @Sendable () -> Void

  init(count: Int, onEnd: @escaping @Sendable () -> Void = {}) {
    unsafe buffer = .allocate(byteCount: count, alignment: 16)
    for index in 0..<count { unsafe buffer[index] = UInt8(truncatingIfNeeded: index) }
    self.onEnd = onEnd
  }

  deinit {
    unsafe buffer.deallocate()
    onEnd()
  }

  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffer)))
  }
}

extension SharedBytes {
  var address: UInt { withBytes { $0.address } }
}

extension Message {
  var address: UInt { withBytes { $0.address } }
}

extension RawSpan {
  fileprivate var address: UInt { unsafe withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
}
