import EventLoop
import Foundation
import Testing
import ZeroMQ

/// Runs the body of a test, which has sockets as local variables and may wait for messages.
actor Bench {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func run(_ body: @Sendable (isolated Bench) async throws -> Void) async throws {
    try await body(self)
  }
}

/// Runs `body` on a loop's thread. It must close or release all its sockets; otherwise closing the
/// context throws.
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
  /// The message that waits now, if any. In an async body, plain `receive()` would mean the one
  /// that waits.
  func receiveWaiting() throws(ZeroMQError) -> [Message]? { try receive() }

  /// The error of receiving. (A closure in `#expect(throws:)` would leave the loop.)
  func receiveFailure() async -> ZeroMQError? {
    do {
      let message: [Message] = try await receive()
      Issue.record("a message of \(message.count) parts came")
      return nil
    } catch {
      return error as? ZeroMQError
    }
  }

  /// The next message, with each part as text.
  func receiveTexts() async throws -> [String] {
    try await receive().map(\.text)
  }
}

extension Socket where Role: SendingRole {
  /// Sends texts as one message; false if it would have to wait.
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

/// The transports that tests use, with an endpoint for each.
enum Transport: CaseIterable, Sendable {
  case inproc, ipc, tcp

  /// Any free endpoint.
  var endpoint: String {
    switch self {
    case .inproc: "inproc://\(UUID())"
    case .ipc: "ipc://*"
    case .tcp: "tcp://127.0.0.1:*"
    }
  }
}

// Sendable: its bytes never change.
/// Bytes to send without a copy, which report their end.
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
