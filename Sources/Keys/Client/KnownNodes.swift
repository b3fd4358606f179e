import Glibc
import OperatingSystem
package import ZeroMQ

/// The nodes that this user may use: `nodes.yaml`, with a secret key for each in
/// `NAME.key_secret` beside it, in a folder of the user's configuration.
///
/// ```yaml
/// front:
///   control: tcp://192.168.1.10:5570
///   key: 'rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7'
/// ```
package struct KnownNodes: Hashable, Sendable {
  /// `$XDG_CONFIG_HOME/camerabus`, usually `~/.config/camerabus`.
  package static var standardFolder: String {
    standardFolder { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  private static let longestText = 1 << 20

  package let folder: String

  private var file: KeyFile { KeyFile("\(folder)/nodes.yaml") }

  package init(folder: String = Self.standardFolder) { self.folder = folder }

  /// - Parameter variable: Returns a variable of the environment.
  static func standardFolder(_ variable: (_ name: String) -> String?) -> String {
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return "\(folder)/camerabus"
    }
    return "\(variable("HOME") ?? "/root")/.config/camerabus"
  }

  // MARK: Reading

  /// By name.
  /// - Throws: `KeyError` that names the file and the line.
  package func all() throws(KeyError) -> [KnownNode] {
    guard FileStatus.exists(file.path) else { return [] }
    try file.requirePrivate(mode: "600")
    let bytes = try file.read(atMost: Self.longestText + 1)
    return try file.naming { () throws(KeyError) in try Self.nodes(in: bytes) }
  }

  /// - Throws: `KeyError` with the remedy if there is no node of this name.
  package func node(_ name: String) throws(KeyError) -> KnownNode {
    let nodes = try all()
    if let node = nodes.first(where: { $0.name == name }) { return node }
    let known = nodes.map(\.name).joined(separator: ", ")
    throw KeyError(
      nodes.isEmpty
        ? "no node \(name) is known here: camctl nodes add reads an invitation"
        : "no node \(name) is known here: there are \(known)", isUnknownNode: true)
  }

  /// The secret key for a node.
  package func keys(for node: KnownNode) throws(KeyError) -> CurveKeyPair {
    let file = keyFile(of: node.name)
    guard FileStatus.exists(file.path) else {
      throw KeyError(
        "your key for \(node.name) is gone: restore \(file.path); or ask the node's owner for a new invitation, "
          + "and run camctl nodes remove \(node.name) and camctl nodes add")
    }
    return try file.keys()
  }

  private func keyFile(of name: String) -> KeyFile { KeyFile("\(folder)/\(name).key_secret") }

  /// Reads the text of `nodes.yaml`.
  package static func nodes(in bytes: [UInt8]) throws(KeyError) -> [KnownNode] {
    guard bytes.count <= longestText, let text = String(validating: bytes, as: UTF8.self) else {
      throw KeyError("this is no text in UTF-8 of at most a mebibyte")
    }
    return try NodesText(text).nodes
  }

  // MARK: Changes

  /// Adds a node.
  /// - Throws: `KeyError`, also if the name is taken.
  package func add(_ node: KnownNode, _ keys: CurveKeyPair) throws(KeyError) {
    try changing { () throws(KeyError) in
      let nodes = try all()
      guard !nodes.contains(where: { $0.name == node.name }) else {
        throw KeyError(
          "a node \(node.name) is known already: choose another name, or camctl nodes remove \(node.name)"
        )
      }
      let certificate = Certificate(keys.publicKey, secretKey: keys.secretKey)
      try attempt { () throws(SystemError) in
        // One that a removal left behind belongs to no node.
        try Folder.removeFile(keyFile(of: node.name).path)
        try keyFile(of: node.name).write(certificate.text)
      }
      try write(nodes + [node])
    }
  }

  /// Removes a node and its key.
  package func remove(_ name: String) throws(KeyError) {
    try changing { () throws(KeyError) in
      _ = try node(name)
      try write(try all().filter { $0.name != name })
      try attempt { () throws(SystemError) in try Folder.removeFile(keyFile(of: name).path) }
    }
  }

  /// Gives a node another name.
  package func rename(_ name: String, to new: String) throws(KeyError) {
    try changing { () throws(KeyError) in
      let node = try node(name)
      let nodes = try all()
      guard !nodes.contains(where: { $0.name == new }) else {
        throw KeyError("a node \(new) is known already: choose another name")
      }
      let renamed = try KnownNode(name: new, control: node.control, key: node.key)
      let certificate = try keyFile(of: name).certificate()
      try attempt { () throws(SystemError) in
        try Folder.removeFile(keyFile(of: new).path)
        try keyFile(of: new).write(certificate.text)
      }
      try write(nodes.filter { $0.name != name } + [renamed])
      try attempt { () throws(SystemError) in try Folder.removeFile(keyFile(of: name).path) }
    }
  }

  private func write(_ nodes: [KnownNode]) throws(KeyError) {
    let lines = nodes.sorted { $0.name < $1.name }.map { node in
      // Z85 has no single quotes, and neither has an endpoint.
      "'\(node.name)':\n  control: '\(node.control)'\n  key: '\(node.key.z85)'\n"
    }
    try attempt { () throws(SystemError) in try file.write(lines.joined(), replaces: true) }
  }

  /// Runs one change at a time, also of several programs.
  private func changing(_ body: () throws(KeyError) -> Void) throws(KeyError) {
    try attempt { () throws(SystemError) in try KeyFile(folder).createFolder() }
    var lock = try attempt { () throws(SystemError) in
      var lock = try FileDescriptor("\(folder)/.lock", O_RDWR | O_CREAT, mode: 0o600)
      try lock.lock()
      return lock
    }
    try body()
    try attempt { () throws(SystemError) in try lock.close() }
  }

  private func attempt<R: ~Copyable>(
    _ body: () throws(SystemError) -> R
  ) throws(KeyError) -> R {
    do throws(SystemError) {
      return try body()
    } catch {
      throw KeyError("\(error)")
    }
  }
}
