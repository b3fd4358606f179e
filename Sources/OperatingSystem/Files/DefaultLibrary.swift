import Glibc

/// The default folder for photos and movies, in the XDG base directory for data.
package enum DefaultLibrary {
  /// The default in words, the same on every machine.
  package static let words =
    "$XDG_DATA_HOME/camerabus, usually ~/.local/share/camerabus; "
    + "/var/lib/camerabus without a home"

  /// Without a home, as a service has none.
  package static let system = "/var/lib/camerabus"

  package static var path: String {
    path { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// - Parameter variable: Returns a variable of the environment.
  static func path(_ variable: (_ name: String) -> String?) -> String {
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/camerabus" }
    guard let home = variable("HOME"), !home.isEmpty else { return system }
    return "\(home)/.local/share/camerabus"
  }
}
