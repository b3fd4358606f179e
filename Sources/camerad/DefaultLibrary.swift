import Foundation

/// The default folder for photos and movies, in the XDG base directory for data.
enum DefaultLibrary {
  /// The default in words, the same on every machine.
  static let words = "$XDG_DATA_HOME/camerabus, usually ~/.local/share/camerabus"

  static var path: String {
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/camerabus" }
    return "\(environment["HOME"] ?? "/var/lib")/.local/share/camerabus"
  }
}
