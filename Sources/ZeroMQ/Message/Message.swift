import CZeroMQ

// @unchecked: nothing of it changes once it was received.
/// One received part. It shares libzmq's memory, which is never copied and is freed with the last reference.
public struct Message: @unchecked Sendable {
  private let memory: ReceivedMemory

  /// Takes over what libzmq received; `source` is empty afterwards.
  init(taking source: UnsafeMutablePointer<zmq_msg_t>) {
    unsafe memory = .take(source)
  }

  /// How many bytes it has.
  public var count: Int { unsafe memory.bytes.count }

  /// Lends the bytes to `body`.
  public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(memory) {} }
    return try unsafe body(RawSpan(_unsafeBytes: memory.bytes))
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }

  /// The bytes, as long as somebody has the message.
  var buffer: UnsafeRawBufferPointer { unsafe memory.bytes }
}

/// libzmq's message behind an object's head, one block of memory for both: it holds small parts in itself and must not
/// move.
@safe private final class ReceivedMemory: ManagedBuffer<Void, zmq_msg_t> {
  static func take(_ source: UnsafeMutablePointer<zmq_msg_t>) -> ReceivedMemory {
    let memory = unsafe unsafeDowncast(
      create(minimumCapacity: 1) { _ in }, to: ReceivedMemory.self)
    unsafe memory.withUnsafeMutablePointerToElements { message in
      unsafe zmq_msg_init(message)
      unsafe zmq_msg_move(message, source)
    }
    return memory
  }

  deinit {
    unsafe withUnsafeMutablePointerToElements { message in _ = unsafe zmq_msg_close(message) }
  }

  /// They stay where they are for the object's life.
  var bytes: UnsafeRawBufferPointer {
    unsafe withUnsafeMutablePointerToElements { message in
      unsafe UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
    }
  }
}

/// A received part that is sent on.
final class Relayed: SharedBytes {
  private let part: Message

  init(_ part: Message) {
    self.part = part
  }

  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try part.withBytes(body)
  }
}
