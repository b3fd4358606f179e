import CameraProtocol
package import ZeroMQ

/// A node that this user may use, under a name of the user's own.
package struct KnownNode: Hashable, Sendable {
  package let name: String
  /// The control endpoint.
  package let control: String
  package let key: CurvePublicKey

  package init(name: String, control: String, key: CurvePublicKey) throws(KeyError) {
    guard Self.isValid(name: name) else { throw .nodeName(name) }
    // It is written between quotes.
    guard !control.isEmpty, control.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F && $0 != 0x27 }) else {
      throw KeyError("'\(control)' is no endpoint: write tcp://HOST:PORT")
    }
    self.name = name
    self.control = control
    self.key = key
  }

  /// The name is also that of a file.
  package static func isValid(name: String) -> Bool { AuthorizedKey.isValid(name: name) }
}

extension KeyError {
  static func nodeName(_ name: String) -> KeyError {
    KeyError(
      "'\(name)' is no name for a node: use 1 to 64 letters, digits, '-', '_' and '.', and no '.' first"
    )
  }
}
