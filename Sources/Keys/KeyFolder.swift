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

  // MARK: The node's own keys

  /// Makes the folder and the node's key pair, unless they are there.
  /// - Throws: `KeyError` with the remedy, also for a folder or file that other users may use.
  package func open() throws(KeyError) -> CurveKeyPair {
    try attempt { () throws(SystemError) in
      try Self.create(path)
      try Self.create(authorizedFolder)
    }
    for folder in [path, authorizedFolder] { try requirePrivate(folder, mode: "700") }
    return FileStatus.exists(secretFile) ? try nodeKeys() : try makeKeys()
  }

  /// The node's key pair.
  /// - Throws: `KeyError` if there is none.
  package func nodeKeys() throws(KeyError) -> CurveKeyPair {
    try requirePrivate(secretFile, mode: "600")
    let certificate = try certificate(at: secretFile)
    guard let secretKey = certificate.secretKey else {
      throw KeyError("\(secretFile) has no secret-key: restore it, or delete it to get a new pair")
    }
    return try attempt { () throws(ZeroMQError) in try CurveKeyPair(secretKey: secretKey) }
  }

  private func makeKeys() throws(KeyError) -> CurveKeyPair {
    let keys = try attempt { () throws(ZeroMQError) in try CurveKeyPair.generate() }
    let certificate = Certificate(keys.publicKey, secretKey: keys.secretKey)
    try attempt { () throws(SystemError) in
      do throws(SystemError) {
        try Self.write(certificate.text, to: secretFile)
      } catch {
        // Another process made a pair first. Take that one.
        guard error.errno == EEXIST else { throw error }
      }
    }
    let own = try nodeKeys()
    try attempt { () throws(SystemError) in
      try Folder.removeFile(publicFile)
      try Self.write(Certificate(own.publicKey).text, to: publicFile)
    }
    return own
  }

  // MARK: The keys that may use the node

  /// The keys that may use the node. A file that cannot be used authorizes nobody.
  /// - Throws: `KeyError` if the folder cannot be read. Then nobody is authorized.
  package func authorized() throws(KeyError) -> AuthorizedKeys {
    try requirePrivate(authorizedFolder, mode: "700")
    let names = try attempt { () throws(SystemError) in try Folder.names(in: authorizedFolder) }
    var keys = AuthorizedKeys()
    for name in names where name.hasSuffix(AuthorizedKeys.suffix) {
      do throws(KeyError) {
        keys.add(try authorizedKey(String(name.dropLast(AuthorizedKeys.suffix.count))))
      } catch {
        keys.refuse(error)
      }
    }
    return keys
  }

  /// - Throws: `KeyError` that names the file.
  private func authorizedKey(_ name: String) throws(KeyError) -> AuthorizedKey {
    let file = file(of: name)
    try requirePrivate(file, mode: "600")
    let certificate = try certificate(at: file)
    return try Self.naming(file) { () throws(KeyError) in try AuthorizedKey(name: name, certificate)
    }
  }

  /// Authorizes a key.
  /// - Throws: `KeyError`, also if the name or the key is authorized already.
  package func authorize(_ key: AuthorizedKey) throws(KeyError) {
    let present = try authorized()
    if let same = present.keys.first(where: { $0.key == key.key }) {
      throw KeyError("this key is authorized as \(same.name): revoke that first")
    }
    do throws(SystemError) {
      try Self.write(key.certificate.text, to: file(of: key.name))
    } catch {
      guard error.errno != EEXIST else {
        throw KeyError("\(key.name) is authorized already: revoke it first, or choose another name")
      }
      throw KeyError(error.description)
    }
  }

  /// - Throws: `KeyError` if no key of this name is authorized.
  package func revoke(_ name: String) throws(KeyError) {
    guard AuthorizedKey.isValid(name: name), FileStatus.exists(file(of: name)) else {
      throw KeyError("no key \(name) is authorized: camctl keys list shows their names")
    }
    try attempt { () throws(SystemError) in try Folder.removeFile(file(of: name)) }
  }

  private func file(of name: String) -> String {
    "\(authorizedFolder)/\(name)\(AuthorizedKeys.suffix)"
  }

  // MARK: Files

  private static func create(_ folder: String) throws(SystemError) {
    guard !Folder.exists(folder) else { return }
    try Folder.create(folder)
    try FileDescriptor(folder, O_RDONLY | O_DIRECTORY).setPermissions(0o700)
  }

  /// Writes a new file under its final name, whole or not at all.
  private static func write(_ text: String, to path: String) throws(SystemError) {
    let temporary = "\(Folder.parent(of: path))/.\(UInt64.random(in: 0 ... .max)).new"
    do throws(SystemError) {
      let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      let bytes = Array(text.utf8)
      try file.write(unsafe bytes.span.bytes)
      try file.publish(as: path, replaces: false)
    } catch {
      try? Folder.removeFile(temporary)
      throw error
    }
  }

  /// - Throws: `KeyError` with the command that makes it private.
  private func requirePrivate(_ path: String, mode: String) throws(KeyError) {
    let status = try attempt { () throws(SystemError) in
      try FileStatus(at: path, followsLinks: false)
    }
    guard status.isFolder || status.isRegularFile else {
      throw KeyError("\(path) is neither a file nor a folder: put the file itself there")
    }
    guard status.isForThisUserAlone else {
      throw KeyError(
        status.owner == geteuid()
          ? "other users may use \(path): chmod \(mode) \(path)"
          : "\(path) belongs to user \(status.owner): chown it to user \(geteuid())")
    }
  }

  private func certificate(at path: String) throws(KeyError) -> Certificate {
    let bytes = try attempt { () throws(SystemError) in
      try FileDescriptor.openFile(path).read(at: 0, count: Certificate.longestText + 1)
    }
    return try Self.naming(path) { () throws(KeyError) in
      try Certificate(parsing: String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func naming<R>(
    _ path: String, _ body: () throws(KeyError) -> R
  ) throws(KeyError) -> R {
    do throws(KeyError) {
      return try body()
    } catch {
      throw KeyError("\(path): \(error)")
    }
  }

  private func attempt<R, E: Error>(_ body: () throws(E) -> R) throws(KeyError) -> R {
    do throws(E) {
      return try body()
    } catch {
      throw KeyError("\(error)")
    }
  }
}
