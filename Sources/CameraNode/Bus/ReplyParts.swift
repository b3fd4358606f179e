import Capture
import ZeroMQ

/// One reply as it goes out: the message, and the bytes that go with it.
struct ReplyParts: Sendable {
  var message: [UInt8]
  var attachment: Attachment?

  var byteCount: Int { message.count + (attachment?.byteCount ?? 0) }

  /// The same in memory of its own, to be kept: a picture would hold its camera's pool.
  var copied: ReplyParts {
    ReplyParts(message: message, attachment: attachment.map { .bytes($0.bytes) })
  }
}

/// Bytes that go with a reply.
enum Attachment: Sendable {
  /// A picture in counted memory, sent without a copy.
  case picture(Frame)
  case bytes([UInt8])

  var byteCount: Int {
    switch self {
    case .picture(let frame): frame.byteCount
    case .bytes(let bytes): bytes.count
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .picture(let frame):
      frame.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    case .bytes(let bytes): bytes
    }
  }

  func send(on socket: Socket<Router>) throws(ZeroMQError) {
    switch self {
    case .picture(let frame): _ = try socket.send(sharing: frame)
    case .bytes(let bytes): _ = try socket.send(bytes)
    }
  }
}
