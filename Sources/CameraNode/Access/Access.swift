import CameraProtocol
import Keys

/// What a client may do.
struct Access: Hashable, Sendable {
  /// For the log and for events: the name of a key, or `user 1000`.
  let name: String
  let role: Role
  /// The cameras that it is for. Nil means all.
  let cameras: Set<String>?
  /// When it ends, in nanoseconds since 1970. Nil means never.
  var expiry: Int64?

  /// What everybody may do who can reach a node without keys.
  static let unlimited = Access(name: "anybody", role: .controller, cameras: nil)

  func isFor(camera: String) -> Bool { cameras?.contains(camera) ?? true }
}

extension Access {
  /// Whether it may have the publications of this topic. Those of the node itself are for keys that
  /// are for all cameras.
  func isFor(topic: String) -> Bool {
    guard cameras != nil else { return true }
    return switch Topic(parsing: topic.utf8) {
    case .frame(let camera, _), .event(let camera, _): isFor(camera: camera)
    case .heartbeat: true
    case nil: false
    }
  }
}
