import CameraProtocol
import ZeroMQ

extension Message {
  /// The last number of every topic that this client knows, by a heartbeat's payload.
  var heartbeatTopics: [String: UInt64]? {
    guard let wire = try? Framing.decode(WireHeartbeat.self, from: bytes) else { return nil }
    return Dictionary(
      wire.topics.filter { Topic(parsing: $0.topic.utf8) != nil }
        .map { ($0.topic, $0.lastSequence) },
      uniquingKeysWith: max
    )
  }
}
