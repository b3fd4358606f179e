/// Where a node learns how hard its machine is pressed.
package enum PressureSource: Hashable, Sendable {
  case machine
  /// It does not want to know.
  case off
  /// A folder with copies of /sys/class/thermal and /proc/pressure, which somebody changes to try
  /// what the node does.
  case folder(String)

  /// Reads `on`, `off` or a path that begins with a slash.
  package init?(_ text: String) {
    switch text {
    case "on": self = .machine
    case "off": self = .off
    default:
      guard text.hasPrefix("/") else { return nil }
      self = .folder(text)
    }
  }

  package static let forms = "on, off, or a folder such as /tmp/pressure"
}
