import Glibc

/// What the library does with folders and the names in them; durable when it returns.
package enum Folder {
  /// Makes the folder and those above it that are missing.
  package static func create(_ path: String) throws(SystemError) {
    do {
      try systemCall("mkdir \(path)") { unsafe mkdir(path, 0o755) }
      try synchronize(parent(of: path))
    } catch {
      switch error.errno {
      case ENOENT where parent(of: path) != path:
        try create(parent(of: path))
        try create(path)
      case EEXIST:
        // A file of that name fails here with ENOTDIR.
        _ = try FileDescriptor(resolved(path), O_RDONLY | O_DIRECTORY)
      default:
        throw error
      }
    }
  }

  /// Gives the file a new name on the same disk, in one step, and waits until both folders know it.
  package static func move(_ source: String, to destination: String) throws(SystemError) {
    try systemCall("rename \(source) to \(destination)") { unsafe rename(source, destination) }
    try synchronize(parent(of: destination))
    try synchronize(parent(of: source))
  }

  /// Deletes the file; one that is not there is fine.
  package static func removeFile(_ path: String) throws(SystemError) {
    do {
      try systemCall("unlink \(path)") { unsafe unlink(path) }
      try synchronize(parent(of: path))
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// The names in the folder but those with a leading dot, sorted.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(path) else {
      throw SystemError(errno: errno, operation: "opendir \(path)")
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Free bytes of the folder's disk, as far as an ordinary user may fill it.
  package static func freeBytes(_ path: String) throws(SystemError) -> Int {
    var status = statvfs()
    _ = try systemCall("statvfs \(path)") { unsafe statvfs(path, &status) }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  private static func synchronize(_ path: String) throws(SystemError) {
    do {
      try FileDescriptor(resolved(path), O_RDONLY | O_DIRECTORY).synchronize()
    } catch {
      // Some file systems cannot do it for folders and say so; they do it by themselves.
      guard error.errno == EINVAL else { throw error }
    }
  }

  /// The folder above; that of `/` is `/`, that of a bare name is `.`.
  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The same folder by a path that ends in no symbolic link.
  private static func resolved(_ path: String) -> String { path + "/." }
}
