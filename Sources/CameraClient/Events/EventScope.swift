package import CameraProtocol

/// The events that one reader follows: of one camera or of all, of one kind or of all.
package struct EventScope: Hashable, Sendable {
  package var camera: String?
  package var kind: EventKind?

  package init(camera: String? = nil, kind: EventKind? = nil) {
    self.camera = camera
    self.kind = kind
  }

  /// The prefix to subscribe to. It covers more than the scope for one kind of all cameras, which
  /// have none in common.
  package var prefix: String {
    guard let camera, let kind else { return Topic.eventPrefix(camera: camera) }
    return Topic.event(camera: camera, kind: kind).name
  }

  /// Whether a topic's events are for the reader.
  package func contains(_ topic: String) -> Bool {
    topic.hasPrefix(prefix) && (kind.map { topic.hasSuffix("/\($0.rawValue)/") } ?? true)
  }
}
