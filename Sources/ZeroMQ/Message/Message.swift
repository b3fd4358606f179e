import CZeroMQ

// @unchecked: a received message never changes.
/// One received part. It keeps libzmq's memory without copying it and frees it with the last
/// reference.
public struct Message: @unchecked Sendable {
  private let memory: ReceivedMemory

  /// Takes over a message from libzmq and leaves `source` empty.
  init(taking source: UnsafeMutablePointer<zmq_msg_t>) {
    unsafe memory = .take(source)
  }

  /// The number of bytes.
  public var count: Int { unsafe memory.bytes.count }

  /// The connection over which the message was received; nil if that was not tcp or ipc, if the
  /// connection has ended since, or if libzmq made the message because the connection has ended.
  /// If another socket of the process has got its descriptor since, this is that one.
  public var connection: PeerConnection? { memory.connection }

  /// The name under which the peer was admitted; nil if libzmq made the message because the
  /// connection has ended.
  ///
  /// All parts that came over the wire have it, and the begins and ends of subscriptions. Trust it
  /// only where the socket requires admission (``Socket/requireAdmission(to:)``): elsewhere a peer
  /// can claim any name.
  public var userID: String? { memory.property(ZMQ_MSG_PROPERTY_USER_ID) }

  /// Calls `body` with the bytes, which are valid only during the call.
  public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(memory) {} }
    return try unsafe body(RawSpan(_unsafeBytes: memory.bytes))
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }

  /// The bytes, valid as long as the message exists.
  var buffer: UnsafeRawBufferPointer { unsafe memory.bytes }
}

/// An object with libzmq's message in its tail memory, so that both take one allocation. libzmq
/// stores small parts inside the message structure, which therefore must not move.
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

  var connection: PeerConnection? {
    unsafe withUnsafeMutablePointerToElements { unsafe PeerConnection(of: $0) }
  }

  func property(_ name: String) -> String? {
    unsafe withUnsafeMutablePointerToElements { message in
      unsafe zmq_msg_gets(message, name).map { unsafe String(cString: $0) }
    }
  }

  /// The bytes, at a fixed address for the object's life.
  var bytes: UnsafeRawBufferPointer {
    unsafe withUnsafeMutablePointerToElements { message in
      unsafe UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
    }
  }
}

/// A received part that is sent again without a copy.
final class Relayed: SharedBytes {
  private let part: Message

  init(_ part: Message) {
    self.part = part
  }

  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try part.withBytes(body)
  }
}
