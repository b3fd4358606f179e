import OperatingSystem

/// Where a node learns how hard its machine is pressed.
package enum PressureSource: Hashable, Sendable {
  case machine
  /// It does not want to know.
  case off
  /// A folder with copies of /sys/class/thermal and /proc/pressure below it, which somebody changes
  /// to try what the node does.
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

  /// What stands in front of /sys and /proc; nil if the node does not look there.
  package var root: String? {
    switch self {
    case .machine: ""
    case .off: nil
    case .folder(let folder): folder
    }
  }

  /// What is wrong with it; nil for a machine, which may have neither.
  package var mistake: String? {
    guard case .folder(let folder) = self else { return nil }
    let parts = ["sys/class/thermal", "proc/pressure"]
    guard !parts.contains(where: { Folder.exists("\(folder)/\($0)") }) else { return nil }
    return "\(folder) has neither \(parts[0]) nor \(parts[1]): make the copy of one of them there"
  }

  package static let forms = "on, off, or a folder such as /tmp/pressure"
}
