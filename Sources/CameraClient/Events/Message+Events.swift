import CameraProtocol
import ZeroMQ

extension Message {
  /// The event that a payload is, by the header that came with it; nil when it is none that this client knows.
  func event(_ header: WireHeader) -> CameraEvent? {
    guard let wire = try? Framing.decode(WireEvent.self, from: bytes) else { return nil }
    return CameraEvent(wire, header)
  }

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
