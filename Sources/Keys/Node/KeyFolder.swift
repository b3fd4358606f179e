import Glibc
import OperatingSystem
package import ZeroMQ

/// The folder with a node's keys: its own pair in `node.key_secret`, the public half in `node.key`,
/// and the keys that may use the node in `authorized/NAME.key`.
///
/// Only the node's user may read it. A file that others may change is worth nothing, so it is
/// refused.
package struct KeyFolder: Hashable, Sendable {
  package let path: String

  private var secretFile: String { "\(path)/node.key_secret" }
  private var publicFile: String { "\(path)/node.key" }
  /// The folder with the keys that may use the node.
  package var authorizedFolder: String { "\(path)/authorized" }

  package init(_ path: String) { self.path = path }

  /// Where a node looks for its keys unless it is told: beside its library.
  package static func standard(forLibrary library: String) -> String {
    Folder.beside(library, suffix: "keys")
  }

  // MARK: The node's own keys

  /// Makes the folder and the node's key pair, unless they are there.
  /// - Throws: `KeyError` with the remedy, also for a folder or file that other users may use.
  package func open() throws(KeyError) -> CurveKeyPair {
    try attempt { () throws(SystemError) in
      try KeyFile(path).createFolder()
      try KeyFile(authorizedFolder).createFolder()
    }
    try requirePrivate()
    guard hasSecret else {
      try requireNew()
      return try makeKeys()
    }
    let keys = try nodeKeys()
    if presentKey != keys.publicKey {
      try attempt { () throws(SystemError) in
        try KeyFile(publicFile).write(Certificate(keys.publicKey).text, replaces: true)
      }
    }
    return keys
  }

  /// Whether the secret half of the node's key is here, or with the service manager.
  package var hasSecret: Bool { Self.credential != nil || FileStatus.exists(secretFile) }

  /// - Throws: `KeyError` with the remedy if the node has a key whose secret half is gone.
  private func requireNew() throws(KeyError) {
    guard FileStatus.exists(publicFile) else { return }
    throw KeyError(
      "\(secretFile) is gone: restore it; or delete \(publicFile) to give the node a new key, and "
        + "invite its users again")
  }

  /// What is wrong with the folder. It may still be missing. Changes nothing.
  package func mistakes() -> [String] {
    guard FileStatus.exists(path) else { return [] }
    do throws(KeyError) {
      guard Folder.exists(path) else { throw KeyError("\(path) is no folder") }
      try KeyFile(path).requirePrivate(mode: "700", followsLinks: true)
      if hasSecret { _ = try nodeKeys() } else { try requireNew() }
      return Folder.exists(authorizedFolder) ? try authorized().refused : []
    } catch {
      return [error.description]
    }
  }

  private func requirePrivate() throws(KeyError) {
    // systemd makes the folder of a service as a link to where it is.
    try KeyFile(path).requirePrivate(mode: "700", followsLinks: true)
    try KeyFile(authorizedFolder).requirePrivate(mode: "700")
  }

  /// The public key in the folder; nil if there is none.
  package var presentKey: CurvePublicKey? { try? KeyFile(publicFile).publicKey() }

  /// The node's public key. Makes a pair if there is none, here or with the service manager.
  package func publicKey() throws(KeyError) -> CurvePublicKey {
    guard FileStatus.exists(secretFile) || !FileStatus.exists(publicFile) else {
      return try KeyFile(publicFile).publicKey()
    }
    return try open().publicKey
  }

  /// The node's key pair. A service manager may keep it elsewhere for the node (systemd's
  /// `LoadCredential=`, systemd.exec(5)).
  /// - Throws: `KeyError` if there is none.
  package func nodeKeys() throws(KeyError) -> CurveKeyPair {
    if let credential = Self.credential { return try KeyFile(credential).keys(isOwn: false) }
    try requireFolder()
    return try KeyFile(secretFile).keys()
  }

  /// The file with the node's key that the service manager has made for this process.
  private static var credential: String? {
    guard let folder = unsafe getenv("CREDENTIALS_DIRECTORY") else { return nil }
    let path = "\(unsafe String(cString: folder))/node.key_secret"
    return FileStatus.exists(path) ? path : nil
  }

  /// - Throws: `KeyError` with the command that makes the folder.
  package func requireFolder() throws(KeyError) {
    let files = [secretFile, publicFile, authorizedFolder]
    guard !files.contains(where: FileStatus.exists) else { return }
    // Who may not look into it sees no files.
    if Folder.exists(path) { try KeyFile(path).requireOwn(mode: "700", followsLinks: true) }
    throw KeyError("there are no keys in \(path) yet: camctl keys invite NAME makes them")
  }

  private func makeKeys() throws(KeyError) -> CurveKeyPair {
    let keys = try attempt { () throws(ZeroMQError) in try CurveKeyPair.forCommandLines() }
    let certificate = Certificate(keys.publicKey, secretKey: keys.secretKey)
    try attempt { () throws(SystemError) in
      do throws(SystemError) {
        try KeyFile(secretFile).write(certificate.text)
      } catch {
        // Another process made a pair first. Take that one.
        guard error.errno == EEXIST else { throw error }
      }
    }
    let own = try nodeKeys()
    try attempt { () throws(SystemError) in
      try KeyFile(publicFile).write(Certificate(own.publicKey).text, replaces: true)
    }
    return own
  }

  // MARK: The keys that may use the node

  /// The keys that may use the node. A file that cannot be used authorizes nobody. If several files
  /// have one key, only the one counts that is in force, or else the one that allows the least, or
  /// else the one that was written first.
  /// - Parameter inForce: The names under which keys are in force now.
  /// - Throws: `KeyError` if the folder cannot be read. Then nobody is authorized.
  package func authorized(
    inForce: [CurvePublicKey: String] = [:]
  ) throws(KeyError) -> AuthorizedKeys {
    try requireFolder()
    guard FileStatus.exists(authorizedFolder) else {
      throw KeyError("\(authorizedFolder) is gone: restore it, or authorize or invite users again")
    }
    try requirePrivate()
    var keys = AuthorizedKeys()
    var found: [(key: AuthorizedKey, isInForce: Bool, writtenAt: Int64)] = []
    for name in try keyNames() {
      do throws(KeyError) {
        let key = try readKey(name)
        let status = try? FileStatus(at: file(of: key.name))
        found.append((key, inForce[key.key] == key.name, status?.modifiedAt ?? .max))
      } catch {
        keys.refuse(error)
      }
    }
    found.sort {
      ($0.isInForce ? 0 : 1, $0.key.role, $0.writtenAt, $0.key.name)
        < ($1.isInForce ? 0 : 1, $1.key.role, $1.writtenAt, $1.key.name)
    }
    for entry in found { keys.add(entry.key) }
    return keys
  }

  /// - Throws: `KeyError` that names the file.
  private func readKey(_ name: String) throws(KeyError) -> AuthorizedKey {
    let file = KeyFile(file(of: name))
    // It has no secret, and nobody else may enter the folder.
    try file.requireOwn(mode: "600")
    let certificate = try file.certificate()
    return try file.naming { () throws(KeyError) in try AuthorizedKey(name: name, certificate) }
  }

  /// The key of this name.
  /// - Throws: `KeyError` if there is none, or if its file cannot be used.
  package func authorizedKey(_ name: String) throws(KeyError) -> AuthorizedKey {
    try requireKey(name)
    return try readKey(name)
  }

  /// Authorizes a key.
  /// - Throws: `KeyError`, also if the name or the key is authorized already.
  package func authorize(_ key: AuthorizedKey) throws(KeyError) {
    try attempt { () throws(SystemError) in try KeyFile(authorizedFolder).createFolder() }
    let present = try authorized()
    if let same = present.keys.first(where: { $0.key == key.key }) {
      throw KeyError(
        "this key is authorized as \(same.name): camctl keys change \(same.name) changes what it may do and how long"
      )
    }
    do throws(SystemError) {
      try KeyFile(file(of: key.name)).write(key.certificate.text)
    } catch {
      guard error.errno != EEXIST else {
        throw KeyError("\(key.name) is authorized already: revoke it first, or choose another name")
      }
      throw KeyError(error.description)
    }
  }

  /// Puts a key in the place of the one that has its name.
  /// - Throws: `KeyError` if no key of this name is authorized, or if another file has the key: it
  ///   may be the one that counts.
  package func replace(_ key: AuthorizedKey) throws(KeyError) {
    try requireKey(key.name)
    if let copy = try copies(of: key).first {
      throw KeyError(
        "\(copy) has the same key as \(key.name), and may be the one that counts: delete \(file(of: copy)) first"
      )
    }
    try attempt { () throws(SystemError) in
      try KeyFile(file(of: key.name)).write(key.certificate.text, replaces: true)
    }
  }

  /// Gives a key another name, in one step.
  /// - Throws: `KeyError`, also if the new name is taken.
  package func rename(_ name: String, to new: String) throws(KeyError) {
    try requireKey(name)
    guard AuthorizedKey.isValid(name: new) else { throw .keyName }
    do throws(SystemError) {
      try Folder.move(file(of: name), to: file(of: new), replaces: false)
    } catch {
      throw error.errno == EEXIST
        ? KeyError("\(new) is authorized already: choose another name")
        : KeyError(error.description)
    }
  }

  private func requireKey(_ name: String) throws(KeyError) {
    guard AuthorizedKey.isValid(name: name), FileStatus.exists(file(of: name)) else {
      throw KeyError("no key \(name) is authorized: camctl keys list shows their names")
    }
  }

  /// Takes the permission of keys away.
  /// - Throws: `KeyError` if no key of such a name is authorized, or if another file has the same
  ///   key and would take its place. Then nothing is revoked.
  package func revoke(_ names: [String]) throws(KeyError) {
    for name in names {
      try requireKey(name)
      guard let key = try? readKey(name) else { continue }
      let others = try copies(of: key).filter { !names.contains($0) }
      guard others.isEmpty else {
        let all = ([name] + others).joined(separator: " ")
        throw KeyError(
          "\(others.joined(separator: " and ")) \(others.count == 1 ? "has" : "have") the same key as \(name), and "
            + "would take its place: camctl keys revoke \(all); to keep the key, delete the file of one name only"
        )
      }
    }
    for name in names {
      try attempt { () throws(SystemError) in try Folder.removeFile(file(of: name)) }
    }
  }

  /// The names of the other files with the same key.
  private func copies(of key: AuthorizedKey) throws(KeyError) -> [String] {
    try keyNames().filter { $0 != key.name && (try? readKey($0))?.key == key.key }
  }

  /// The names that the files give, also of files that cannot be used.
  private func keyNames() throws(KeyError) -> [String] {
    let files = try attempt { () throws(SystemError) in try Folder.names(in: authorizedFolder) }
    return files.filter { $0.hasSuffix(AuthorizedKeys.suffix) }
      .map { String($0.dropLast(AuthorizedKeys.suffix.count)) }
  }

  private func file(of name: String) -> String {
    "\(authorizedFolder)/\(name)\(AuthorizedKeys.suffix)"
  }

  private func attempt<R, E: Error>(_ body: () throws(E) -> R) throws(KeyError) -> R {
    do throws(E) {
      return try body()
    } catch {
      throw KeyError("\(error)")
    }
  }
}
