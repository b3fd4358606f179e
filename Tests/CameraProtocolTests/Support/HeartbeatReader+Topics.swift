import SwiftProtobuf

@testable import CameraProtocol

extension HeartbeatReader {
  /// All topics in a payload.
  static func topics(_ payload: [UInt8]) throws(FramingError) -> [WireHeartbeat.Topic] {
    var topics: [WireHeartbeat.Topic] = []
    try read(unsafe payload.span.bytes) { name, sequence in
      topics.append(
        .with {
          $0.topic = String(decoding: name.copy, as: UTF8.self)
          $0.lastSequence = sequence
        })
    }
    return topics
  }
}
