/// The first part of a publication. Topics end in a slash, because subscriptions match prefixes.
package enum Topic: Hashable, Sendable {
  /// `frame/CAMERA/STREAM/`
  case frame(camera: String, stream: StreamName)
  /// `event/CAMERA/KIND/`
  case event(camera: String, kind: EventKind)
  /// `heartbeat/`
  case heartbeat

  /// The length of the longest topic.
  package static let maximumByteCount = 96

  package var name: String {
    switch self {
    case .frame(let camera, let stream): "frame/\(camera)/\(stream)/"
    case .event(let camera, let kind): "event/\(camera)/\(kind.rawValue)/"
    case .heartbeat: "heartbeat/"
    }
  }

  /// Reads a topic; nil if the bytes are not one.
  package init?(parsing bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.maximumByteCount, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasSuffix("/") else { return nil }
    let parts = text.dropLast().split(separator: "/", omittingEmptySubsequences: false)
      .map(String.init)
    switch (parts.count, parts[0]) {
    case (1, "heartbeat"):
      self = .heartbeat
    case (3, "frame"):
      guard CameraName.isValid(parts[1]), let stream = StreamName(parts[2]) else { return nil }
      self = .frame(camera: parts[1], stream: stream)
    case (3, "event"):
      guard CameraName.isValid(parts[1]), let kind = EventKind(rawValue: parts[2]) else {
        return nil
      }
      self = .event(camera: parts[1], kind: kind)
    default:
      return nil
    }
  }

  /// The prefix for a subscription to all events of one camera or of all cameras.
  package static func eventPrefix(camera: String?) -> String {
    camera.map { "event/\($0)/" } ?? "event/"
  }
}
