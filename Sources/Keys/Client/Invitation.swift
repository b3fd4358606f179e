import OperatingSystem
package import ZeroMQ

/// What a node's owner gives to a guest, as one line: where the node is, its public key, and a
/// secret key for the guest. Who has the line can use the node.
///
///     camerabus://front@192.168.1.10:5570?node=…&key=…
package struct Invitation: Equatable, Sendable {
  package static let scheme = "camerabus://"
  /// The longest line, in bytes.
  package static let longestText = 1024

  /// How the guest may call the node.
  package let name: String
  /// The node's control endpoint.
  package let control: String
  package let nodeKey: CurvePublicKey
  package let guestKey: CurveSecretKey

  /// - Parameter control: `tcp://HOST:PORT`.
  /// - Throws: `KeyError` as of ``check(name:control:)``.
  package init(
    name: String, control: String, nodeKey: CurvePublicKey, guestKey: CurveSecretKey
  ) throws(KeyError) {
    try Self.check(name: name, control: control)
    self.name = name
    self.control = control
    self.nodeKey = nodeKey
    self.guestKey = guestKey
  }

  /// - Throws: `KeyError` for a name that no node can have here, and for another endpoint.
  package static func check(name: String, control: String) throws(KeyError) {
    guard KnownNode.isValid(name: name) else { throw .nodeName(name) }
    guard control.hasPrefix("tcp://"),
      control.dropFirst(6).utf8.allSatisfy({ hostBytes.contains($0) })
    else {
      throw KeyError("'\(control)' is no endpoint that others can reach: write tcp://HOST:PORT")
    }
    let host = control.dropFirst(6)
    guard !["0.0.0.0:", "[::]:", "*:"].contains(where: { host.hasPrefix($0) }) else {
      throw KeyError(
        "'\(control)' is every address of this machine: write the one that the guest reaches, such as "
          + "tcp://192.168.1.10:5570")
    }
  }

  /// - Throws: `KeyError`, which never repeats the key.
  package init(parsing line: String) throws(KeyError) {
    guard line.utf8.count <= Self.longestText, line.hasPrefix(Self.scheme) else {
      throw KeyError("this is no invitation, which begins with \(Self.scheme)")
    }
    let rest = line.dropFirst(Self.scheme.count)
    guard let at = rest.firstIndex(of: "@"), let question = rest[at...].firstIndex(of: "?") else {
      throw Self.incomplete
    }
    var keys: [Substring: [UInt8]] = [:]
    for pair in rest[rest.index(after: question)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let bytes = [UInt8](hexadecimal: String(parts[1])),
        keys.updateValue(bytes, forKey: parts[0]) == nil
      else { throw Self.incomplete }
    }
    guard let node = keys.removeValue(forKey: "node"), let guest = keys.removeValue(forKey: "key"),
      keys.isEmpty, let nodeKey = try? CurvePublicKey(bytes: node),
      let guestKey = try? CurveSecretKey(bytes: guest)
    else { throw Self.incomplete }
    try self.init(
      name: String(rest[..<at]), control: "tcp://\(rest[rest.index(after: at)..<question])",
      nodeKey: nodeKey, guestKey: guestKey)
  }

  package var text: String {
    "\(Self.scheme)\(name)@\(control.dropFirst(6))"
      + "?node=\(nodeKey.bytes.hexadecimal)&key=\(guestKey.bytes.hexadecimal)"
  }

  private static var incomplete: KeyError {
    KeyError("the invitation is not whole: paste the line as camctl keys invite printed it")
  }

  private static let hostBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]%".utf8)
}
