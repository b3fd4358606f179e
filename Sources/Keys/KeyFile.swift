import Glibc
package import OperatingSystem
package import ZeroMQ

/// A file with a certificate, or another file or folder that only its user may use.
package struct KeyFile: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The certificate.
  /// - Throws: `KeyError` that names the file.
  package func certificate() throws(KeyError) -> Certificate {
    let bytes = try read(atMost: Certificate.longestText + 1)
    return try naming { () throws(KeyError) in
      try Certificate(parsing: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The file's first bytes.
  package func read(atMost count: Int) throws(KeyError) -> [UInt8] {
    do throws(SystemError) {
      return try FileDescriptor.openFile(path).read(at: 0, count: count)
    } catch {
      throw problem(error)
    }
  }

  private func problem(_ error: SystemError) -> KeyError {
    switch error.errno {
    case ENOENT: KeyError("there is no \(path)")
    case EACCES: KeyError("you may not read \(path): run this as the user that it belongs to")
    case ENXIO, EISDIR, ELOOP: KeyError("\(path) is not a file: name a file with a certificate")
    default: KeyError("\(error)")
    }
  }

  package func publicKey() throws(KeyError) -> CurvePublicKey { try certificate().publicKey }

  /// The key pair of a certificate that has the secret half.
  /// - Parameter isOwn: Whether this user keeps the file, and must keep it to itself.
  /// - Throws: `KeyError` with the remedy, also for a file that other users may read.
  package func keys(isOwn: Bool = true) throws(KeyError) -> CurveKeyPair {
    if isOwn { try requirePrivate(mode: "600") }
    guard let secretKey = try certificate().secretKey else {
      throw KeyError("\(path) has no secret-key: name the file that has it")
    }
    do throws(ZeroMQError) {
      return try CurveKeyPair(secretKey: secretKey)
    } catch {
      throw KeyError("\(path): \(error)")
    }
  }

  /// - Parameter followsLinks: Whether the user has named this path, so that a link is meant.
  /// - Throws: `KeyError` with the command that makes it private.
  package func requirePrivate(mode: String, followsLinks: Bool = false) throws(KeyError) {
    try require(mode: mode, without: 0o077, followsLinks: followsLinks)
  }

  /// - Parameter followsLinks: As for ``requirePrivate(mode:followsLinks:)``.
  /// - Throws: `KeyError` with the command that keeps others from changing it.
  package func requireOwn(mode: String, followsLinks: Bool = false) throws(KeyError) {
    try require(mode: mode, without: 0o022, followsLinks: followsLinks)
  }

  private func require(
    mode: String, without others: mode_t, followsLinks: Bool = false
  ) throws(KeyError) {
    let status: FileStatus
    do throws(SystemError) {
      status = try FileStatus(at: path, followsLinks: followsLinks)
    } catch {
      throw problem(error)
    }
    guard status.isFolder || status.isRegularFile else {
      throw KeyError("\(path) is a link, or neither a file nor a folder: put the file itself there")
    }
    // Root keeps the keys of a node that runs as another user.
    let isOwn = status.owner == geteuid() || geteuid() == 0
    guard isOwn, status.permissions & others == 0 else {
      throw KeyError(
        isOwn
          ? "other users may use \(path): chmod \(mode) \(path)"
          : "\(path) belongs to user \(status.owner): chown \(geteuid()) \(path), or run this as that user"
      )
    }
  }

  /// Writes the file, which only this user may read, whole or not at all.
  /// - Throws: `EEXIST` if there is a file and it may not be replaced.
  package func write(_ text: String, replaces: Bool = false) throws(SystemError) {
    let temporary = "\(Folder.parent(of: path))/.\(UInt64.random(in: 0 ... .max)).new"
    do throws(SystemError) {
      let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      if geteuid() == 0 {
        try file.give(to: FileStatus(at: Folder.parent(of: path)).owner)
      }
      let bytes = Array(text.utf8)
      try file.write(unsafe bytes.span.bytes)
      try file.publish(as: path, replaces: replaces)
    } catch {
      try? Folder.removeFile(temporary)
      throw error
    }
  }

  /// Makes a folder that only this user may use, unless it is there.
  package func createFolder() throws(SystemError) {
    guard !Folder.exists(path) else { return }
    try Folder.create(path)
    try FileDescriptor(path, O_RDONLY | O_DIRECTORY).setPermissions(0o700)
  }

  /// Runs `body`, whose errors then name the file.
  func naming<R>(_ body: () throws(KeyError) -> R) throws(KeyError) -> R {
    do throws(KeyError) {
      return try body()
    } catch {
      throw KeyError("\(path): \(error)")
    }
  }
}
