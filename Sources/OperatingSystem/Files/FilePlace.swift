import Glibc

/// A path where a file is to be written: what is there now, and where its links lead.
package struct FilePlace: Sendable {
  package enum Content: Sendable {
    case nothing
    case file(FileStatus)
    case folder
    /// A device or a pipe: bytes are written into it, and it is never replaced.
    case stream
    case socket

    package var isNothing: Bool {
      if case .nothing = self { true } else { false }
    }
  }

  /// The longest chain of links that the kernel follows.
  private static let linkLimit = 40

  /// The path with the links at its end followed: where the file is, or will be. For anything but a
  /// file it is the path as it was given, because links in /proc lead to pipes without a name.
  package let path: String
  package let content: Content

  /// Whether it is a device or a pipe.
  package var isStream: Bool {
    if case .stream = content { true } else { false }
  }

  /// - Throws: `ELOOP` for links that lead to each other, `ENOTDIR`, `EACCES`, `ENAMETOOLONG`. A
  ///   folder that is missing is no failure here.
  package init(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      let status = try FileStatus(at: path)
      if status.isRegularFile {
        self.path = try Self.followed(path)
        content = .file(status)
      } else {
        self.path = path
        content = status.isFolder ? .folder : status.isSocket ? .socket : .stream
      }
    } catch {
      guard error.errno == ENOENT else { throw error }
      self.path = try Self.followed(path)
      content = .nothing
    }
  }

  /// Follows the links at the end of a path, also a last one that leads to nothing.
  private static func followed(_ path: String) throws(SystemError) -> String {
    var path = path
    for _ in 0..<linkLimit {
      guard let target = try linkTarget(path) else { return path }
      path = target.hasPrefix("/") ? target : "\(Folder.parent(of: path))/\(target)"
    }
    throw SystemError(errno: ELOOP, operation: "readlink \(path)")
  }

  /// Where a link leads; nil for anything but a link.
  private static func linkTarget(_ path: String) throws(SystemError) -> String? {
    do throws(SystemError) {
      let bytes = try [UInt8](capacity: Int(PATH_MAX)) { (bytes) throws(SystemError) in
        _ = try systemCall("readlink \(path)", at: path) { path in
          unsafe bytes.withUnsafeMutableBufferPointer { memory, filled in
            let count = unsafe memory.withMemoryRebound(to: CChar.self) { memory in
              unsafe memory.baseAddress.map { unsafe readlink(path.pointer, $0, memory.count) } ?? 0
            }
            filled = max(0, count)
            return count
          }
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      guard error.errno == EINVAL || error.errno == ENOENT else { throw error }
      return nil
    }
  }
}
