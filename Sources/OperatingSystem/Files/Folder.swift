import CLinux
import Glibc

/// Folders and the names in them. A change is on the disk when the call returns.
package enum Folder {
  /// Makes the folder, and the folders above it that are missing. A folder that exists is fine.
  /// - Parameter group: A group that may enter and read the folders that this makes.
  package static func create(_ path: String, for group: FileGroup? = nil) throws(SystemError) {
    do {
      try createOne(path, for: group)
    } catch {
      guard error.errno == ENOENT, parent(of: path) != path else { throw error }
      try create(parent(of: path), for: group)
      // Only once more: /proc and a removed working directory say ENOENT for ever.
      try createOne(path, for: group)
    }
  }

  /// Makes the folder in a folder that exists.
  private static func createOne(_ path: String, for group: FileGroup?) throws(SystemError) {
    do {
      try systemCall("mkdir \(path)", at: path) { unsafe mkdir($0.pointer, 0o755) }
      try group?.take(newFolder: path)
      try synchronize(parent(of: path))
    } catch {
      switch error.errno {
      case EEXIST:
        // If a file has the name, this fails with ENOTDIR.
        _ = try FileDescriptor(resolved(path), O_RDONLY | O_DIRECTORY)
      default:
        throw error
      }
    }
  }

  /// The path of a folder beside another one: "/srv/photos-keys" beside "/srv/photos/".
  package static func beside(_ path: String, suffix: String) -> String {
    "\(path.hasSuffix("/") ? String(path.dropLast()) : path)-\(suffix)"
  }

  /// Whether there is a folder at the path; a symbolic link to one counts.
  package static func exists(_ path: String) -> Bool {
    (try? FileStatus(at: path))?.isFolder == true
  }

  /// Renames a file on the same disk in one step, and waits until both folders are on the disk.
  ///
  /// The file's own bytes are not synchronized here: see ``FileDescriptor/publish(as:)``.
  /// - Parameter replaces: Whether a file that has the destination's name is replaced; otherwise it
  ///   is `EEXIST`.
  package static func move(
    _ source: String,
    to destination: String,
    replaces: Bool = true
  ) throws(SystemError) {
    if replaces {
      let operation = "rename \(source) to \(destination)"
      try withPaths(source, destination, operation) { unsafe rename($0.pointer, $1.pointer) }
    } else {
      try renameNew(source, to: destination, in: AT_FDCWD, "create \(destination)")
    }
    let folders = [parent(of: destination), parent(of: source)]
    try synchronize(folders[0])
    if folders[1] != folders[0] { try synchronize(folders[1]) }
  }

  /// Gives a file a name that no other has.
  /// - Parameters:
  ///   - folder: The open folder that the name is in; `AT_FDCWD` for the working directory.
  ///   - operation: What an error says was being done.
  /// - Throws: `EEXIST` if another file has the name.
  static func renameNew(
    _ source: String, to name: String, in folder: Int32, _ operation: String
  ) throws(SystemError) {
    do throws(SystemError) {
      try withPaths(source, name, operation) {
        unsafe CLinux_renameNew($0.pointer, folder, $1.pointer)
      }
    } catch {
      // EINVAL, ENOSYS: network file systems cannot do this in one step.
      guard error.errno == EINVAL || error.errno == ENOSYS else { throw error }
      try withPaths(source, name, operation) { source, name in
        guard unsafe faccessat(folder, name.pointer, F_OK, AT_SYMLINK_NOFOLLOW) != 0,
          errno == ENOENT
        else {
          errno = EEXIST
          return -1
        }
        return unsafe renameat(AT_FDCWD, source.pointer, folder, name.pointer)
      }
    }
  }

  private static func withPaths(
    _ source: String, _ destination: String, _ operation: String,
    _ call: (CPath, CPath) -> Int32
  ) throws(SystemError) {
    var failure: SystemError?
    try systemCall(operation, at: source) { source in
      do throws(SystemError) {
        return try systemCall(operation, at: destination) { call(source, $0) }
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
  }

  /// Deletes a file. A file that does not exist is fine.
  package static func removeFile(_ path: String) throws(SystemError) {
    do {
      try systemCall("unlink \(path)", at: path) { unsafe unlink($0.pointer) }
      try synchronize(parent(of: path))
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// The names in the folder, sorted, without `.` and `..`.
  /// - Parameter withHidden: Whether names that begin with a dot count.
  package static func names(
    in path: String,
    withHidden: Bool = false
  ) throws(SystemError) -> [String] {
    try names(in: FileDescriptor(resolved(path), O_RDONLY | O_DIRECTORY), withHidden: withHidden)
  }

  static func names(
    in folder: borrowing FileDescriptor, withHidden: Bool = false
  ) throws(SystemError) -> [String] {
    try entries(in: folder, withHidden: withHidden).map { name in
      String(decoding: name.bytes, as: UTF8.self)
    }.sorted()
  }

  /// The names in the folder that do not begin with a dot, by their bytes, sorted.
  package static func entries(
    in folder: borrowing FileDescriptor
  ) throws(SystemError) -> [FileName] {
    try entries(in: folder, withHidden: false)
  }

  private static func entries(
    in folder: borrowing FileDescriptor, withHidden: Bool
  ) throws(SystemError) -> [FileName] {
    // The stream closes its descriptor.
    let own = try systemCall("read \(folder.path)") { fcntl(folder.rawValue, F_DUPFD_CLOEXEC, 0) }
    guard let stream = unsafe fdopendir(own) else {
      let error = SystemError(errno: errno, operation: "read \(folder.path)")
      close(own)
      throw error
    }
    defer { unsafe closedir(stream) }
    var names: [FileName] = []
    let dot = UInt8(ascii: ".")
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      let counts = withHidden ? bytes != [dot] && bytes != [dot, dot] : bytes.first != dot
      if counts { names.append(FileName(bytes: bytes)) }
    }
    return names.sorted()
  }

  /// Waits until the names in the folder are on the disk.
  package static func synchronize(_ path: String) throws(SystemError) {
    do {
      try synchronize(FileDescriptor(resolved(path), O_RDONLY | O_DIRECTORY))
    } catch {
      // We may write to the folder but not read it.
      guard error.errno == EACCES else { throw error }
    }
  }

  static func synchronize(_ folder: borrowing FileDescriptor) throws(SystemError) {
    do {
      try folder.synchronize()
    } catch {
      // The file system stores names by itself.
      guard error.errno == EINVAL else { throw error }
    }
  }

  /// The folder that a path is in: `/` for `/` itself, `.` for a bare name.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path from the root. A relative path begins in the working directory; it stays relative if
  /// that folder was deleted.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(here) }
    return unsafe "\(String(cString: here))/\(path)"
  }

  /// The same folder by a path that does not end in a symbolic link.
  private static func resolved(_ path: String) -> String { path + "/." }
}
