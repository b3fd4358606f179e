import Glibc

/// The default folder for photos and movies, in the XDG base directory for data.
package enum DefaultLibrary {
  /// The default in words, the same on every machine.
  package static let words = "$XDG_DATA_HOME/camerabus, usually ~/.local/share/camerabus"

  package static var path: String {
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/camerabus" }
    return "\(variable("HOME") ?? "/var/lib")/.local/share/camerabus"
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
