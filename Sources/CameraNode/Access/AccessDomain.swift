/// What a socket gives access to, as its ZAP domain.
enum AccessDomain: Hashable, Sendable {
  /// Requests. Each is judged by itself.
  case control
  /// The publications of all cameras.
  case publications
  /// The publications of some cameras, for the keys that are limited to just these.
  case limitedPublications(Set<String>)
  /// A socket file, whose peers are users of this machine.
  case ipc

  private static let limitedPrefix = "publications "

  init?(name: String) {
    switch name {
    case "control": self = .control
    case "publications": self = .publications
    case "ipc": self = .ipc
    default:
      guard name.hasPrefix(Self.limitedPrefix) else { return nil }
      let cameras = name.dropFirst(Self.limitedPrefix.count).split(separator: ",")
      self = .limitedPublications(Set(cameras.map(String.init)))
    }
  }

  var name: String {
    switch self {
    case .control: "control"
    case .publications: "publications"
    case .limitedPublications(let cameras):
      Self.limitedPrefix + cameras.sorted().joined(separator: ",")
    case .ipc: "ipc"
    }
  }

  /// Whether a peer with this access may connect here.
  func admits(_ access: Access) -> Bool {
    switch self {
    case .control, .ipc: true
    case .publications: access.cameras == nil
    case .limitedPublications(let cameras): access.cameras == cameras
    }
  }
}
