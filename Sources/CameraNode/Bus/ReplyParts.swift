import Capture
import ZeroMQ

/// One reply as it goes out: the message, and the bytes that go with it.
struct ReplyParts: Sendable {
  var message: [UInt8]
  var attachment: Attachment?

  var byteCount: Int { message.count + (attachment?.byteCount ?? 0) }
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

  func send(on socket: Socket<Router>) throws(ZeroMQError) {
    switch self {
    case .picture(let frame): _ = try socket.send(sharing: frame)
    case .bytes(let bytes): _ = try socket.send(bytes)
    }
  }
}
