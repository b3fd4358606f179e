import CameraProtocol

/// The name that a node has in its status.
enum NodeName {
  /// Whether it is 1 to 64 printable characters on one line, and not only spaces.
  static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.unicodeScalars.count) && name.isShownName
  }
}
