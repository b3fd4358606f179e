import CZeroMQ

// Sendable: nothing of it changes once it was received.
/// One received part. It owns libzmq's memory, which is never copied, and frees it with the last reference.
@safe public final class Message: @unchecked Sendable {
  // On the heap, for it holds small parts in itself and must not move.
  private let raw: UnsafeMutablePointer<zmq_msg_t>
  let buffer: UnsafeRawBufferPointer

  /// Takes over what libzmq received; `source` is empty afterwards.
  init(taking source: UnsafeMutablePointer<zmq_msg_t>) {
    unsafe raw = .allocate(capacity: 1)
    unsafe zmq_msg_init(raw)
    unsafe zmq_msg_move(raw, source)
    unsafe buffer = UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
  }

  deinit {
    unsafe zmq_msg_close(raw)
    unsafe raw.deallocate()
  }

  /// How many bytes it has.
  public var count: Int { unsafe buffer.count }

  /// Lends the bytes to `body`.
  public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(RawSpan(_unsafeBytes: buffer))
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] {
    defer { withExtendedLifetime(self) {} }
    return unsafe [UInt8](buffer)
  }
}

/// A received part is sent on without a copy.
extension Message: SharedBytes {}
