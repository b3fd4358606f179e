import Glibc
import OperatingSystem

/// The folder with a file for each camera of which something is remembered. Only the node's user
/// may read it. Used on the thread that waits for the disk.
struct MemoryFolder: Sendable {
  /// More than the values of all controls of a camera have as text.
  private static let longestFile = 32 << 20

  let path: String

  private func file(of camera: String) -> String {
    "\(path)/\(FileName.distinct(camera)).json"
  }

  /// What the camera's file says; nil if there is none.
  func read(_ camera: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try FileDescriptor.openFile(file(of: camera))
      return try file.read(at: 0, count: min(try file.status().byteCount, Self.longestFile))
    } catch {
      guard error.errno == ENOENT else { throw error }
      return nil
    }
  }

  /// Puts the camera's file, which cannot be understood, out of the way, so that the next change
  /// does not overwrite it.
  func putAside(_ camera: String) throws(SystemError) {
    try Folder.move(file(of: camera), to: "\(file(of: camera)).unreadable")
  }

  /// Puts a file in the place of the camera's present one. It is on the disk when this returns, and
  /// after a power cut the file is the old one or the new one.
  func write(_ bytes: [UInt8], of camera: String) throws(SystemError) {
    if !Folder.exists(path) {
      try Folder.create(path)
      try FileDescriptor(path, O_RDONLY | O_DIRECTORY).setPermissions(0o700)
    }
    let part = try FileDescriptor(
      "\(file(of: camera)).part", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
    try unsafe part.write(bytes.span.bytes)
    try part.publish(as: file(of: camera))
  }

  func remove(_ camera: String) throws(SystemError) {
    try Folder.removeFile("\(FileName.distinct(camera)).json", below: path)
  }
}
