import CameraProtocol
import EventLoop
import ZeroMQ
import SwiftProtobuf

/// One publication as it came.
struct Publication {
  let topic: Topic
  let epoch: Epoch
  let header: WireHeader
  let payload: ZeroMQ.Message
  let received: MonotonicTime

  /// Nil for parts that are no publication of this protocol.
  init?(_ parts: [ZeroMQ.Message], received: MonotonicTime) {
    guard parts.count == 3, let topic = Topic(parsing: parts[0].bytes),
      let header = try? WireHeader(serializedBytes: parts[1].bytes),
      let epoch = Epoch(bytes: header.epoch)
    else { return nil }
    self.topic = topic
    self.epoch = epoch
    self.header = header
    payload = parts[2]
    self.received = received
  }
}
