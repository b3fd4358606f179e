import Glibc

extension Folder {
  /// Deletes a file below a folder. No symbolic link on the way is followed, so that nothing
  /// outside of the folder can be deleted; a link in the file's own place is deleted itself. A file
  /// that does not exist is fine.
  /// - Parameter path: The file's path below `folder`.
  /// - Throws: `ENOTDIR` for a link in a folder's place.
  package static func removeFile(_ path: String, below folder: String) throws(SystemError) {
    var names = path.split(separator: "/").map(String.init)
    guard let file = names.popLast() else {
      throw SystemError(errno: EINVAL, operation: "unlink \(folder)")
    }
    do {
      var parent = try FileDescriptor(folder + "/.", O_RDONLY | O_DIRECTORY)
      for name in names {
        let child = try FileDescriptor(name, in: parent, O_RDONLY | O_DIRECTORY)
        parent = child
      }
      let descriptor = parent.rawValue
      try systemCall("unlink \(folder)/\(path)") { unsafe unlinkat(descriptor, file, 0) }
      try synchronize(parent)
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }
}
