import Glibc

/// Changes below a folder that follow no symbolic link on the way, so that nothing outside of the
/// folder can change. Paths are below `folder`.
extension Folder {
  /// Makes the folder, and the folders above it that are missing. A folder that exists is fine.
  /// - Throws: `ENOTDIR` for a link or a file in a folder's place.
  package static func create(_ path: String, below folder: String) throws(SystemError) {
    _ = try open(path, below: folder, creates: true)
  }

  /// Gives a file on the same disk its new name in one step, and waits until both folders are on
  /// the disk.
  /// - Throws: `EEXIST` if another file has the name; `ENOTDIR` for a link in a folder's place.
  package static func move(
    _ source: String, to path: String, below folder: String
  ) throws(SystemError) {
    let (parent, file) = (parent(of: path), name(of: path))
    let place = try open(parent, below: folder, creates: false)
    try renameNew(source, to: file, in: place.rawValue, "create \(folder)/\(path)")
    try synchronize(place)
    if Self.parent(of: source) != place.path { try synchronize(Self.parent(of: source)) }
  }

  /// Deletes a file; a link in the file's own place is deleted itself. A file that does not exist
  /// is fine.
  /// - Throws: `ENOTDIR` for a link in a folder's place.
  package static func removeFile(_ path: String, below folder: String) throws(SystemError) {
    do {
      let parent = try open(parent(of: path), below: folder, creates: false)
      let (descriptor, file) = (parent.rawValue, name(of: path))
      try systemCall("unlink \(folder)/\(path)", at: file) {
        unsafe unlinkat(descriptor, $0.pointer, 0)
      }
      try synchronize(parent)
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// Looks whether a file could be made in the folder, without making one. If the folder is
  /// missing, the nearest one above it counts.
  /// - Throws: `ENOTDIR` for a link or a file in a folder's place; `EACCES`; `EROFS` for a disk
  ///   that was mounted read-only.
  package static func requireWritable(_ path: String, below folder: String) throws(SystemError) {
    var place = try FileDescriptor(folder, O_RDONLY | O_DIRECTORY, followsLinks: true)
    do throws(SystemError) {
      for name in names(of: path) {
        let next = try FileDescriptor(name, in: place, O_RDONLY | O_DIRECTORY)
        place = next
      }
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
    let descriptor = place.rawValue
    try systemCall("write \(place.path)") {
      unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS)
    }
  }

  /// The names in the folder that do not begin with a dot, sorted.
  /// - Throws: `ENOTDIR` for a link or a file in a folder's place.
  package static func names(in path: String, below folder: String) throws(SystemError) -> [String] {
    try names(in: open(path, below: folder, creates: false))
  }

  private static func open(
    _ path: String, below folder: String, creates: Bool
  ) throws(SystemError) -> FileDescriptor {
    var place = try FileDescriptor(folder, O_RDONLY | O_DIRECTORY, followsLinks: true)
    for name in names(of: path) {
      if creates { try makeFolder(name, in: place) }
      let next = try FileDescriptor(name, in: place, O_RDONLY | O_DIRECTORY)
      place = next
    }
    return place
  }

  private static func makeFolder(
    _ name: String, in parent: borrowing FileDescriptor
  ) throws(SystemError) {
    let (descriptor, path) = (parent.rawValue, "\(parent.path)/\(name)")
    do throws(SystemError) {
      try systemCall("mkdir \(path)", at: name) { unsafe mkdirat(descriptor, $0.pointer, 0o755) }
    } catch {
      guard error.errno == EEXIST else { throw error }
      return
    }
    try synchronize(parent)
  }

  private static func names(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }

  private static func name(of path: String) -> String { names(of: path).last ?? "" }
}
