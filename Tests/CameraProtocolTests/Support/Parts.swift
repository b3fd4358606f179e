import SwiftProtobuf

@testable import CameraProtocol

extension Framing {
  /// The parts of a request or reply: `"CB1" | message | attachment…`.
  static func parts(
    _ message: some SwiftProtobuf.Message,
    attachments: [[UInt8]] = []
  ) -> [[UInt8]] {
    [signature, message.bytes] + attachments
  }
}

extension Publication {
  /// Reads the first two parts of a publication.
  init(_ parts: [[UInt8]]) throws(FramingError) {
    let (topic, header) = (parts[0], parts[1])
    try unsafe self.init(topic: topic.span.bytes, header: header.span.bytes)
  }

  /// The parts of a publication: `topic | header | payload`.
  static func parts(_ topic: Topic, _ header: WireHeader, payload: [UInt8]) -> [[UInt8]] {
    [Array(topic.name.utf8), header.bytes, payload]
  }
}
