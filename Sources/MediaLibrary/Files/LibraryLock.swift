import Glibc
import OperatingSystem

/// Exclusive use of the library's folder: a lock on a file in it (flock(2)), which ends with the
/// process.
struct LibraryLock: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// Takes the lock and writes the process's id into the file, so that the next process can name it
  /// in its error.
  init(_ layout: LibraryLayout) throws(MediaLibraryError) {
    do throws(SystemError) {
      file = try Self.take(layout.lock)
    } catch {
      guard error.errno == EWOULDBLOCK else { throw MediaLibraryError(error, in: layout.folder) }
      throw MediaLibraryError(
        .inUse,
        "\(Self.owner(layout)) uses the library \(layout.folder): stop it, or choose another folder"
      )
    }
  }

  /// Whether the folder still has the file that is locked.
  var isInPlace: Bool {
    guard let locked = try? file.status(),
      let present = try? FileStatus(at: file.path, followsLinks: false)
    else { return false }
    return locked.identity == present.identity
  }

  private static func take(_ path: String) throws(SystemError) -> FileDescriptor {
    // To open the file is enough to lock it (flock(2)), so nobody else may read it.
    var file = try FileDescriptor(path, O_RDWR | O_CREAT, mode: 0o600)
    try file.lock()
    LibraryLayout.keepPrivate(file)
    try file.truncate()
    unsafe try file.write(Array("\(getpid())\n".utf8).span.bytes)
    return file
  }

  private static func owner(_ layout: LibraryLayout) -> String {
    let bytes = try? FileDescriptor(layout.lock, O_RDONLY).read(at: 0, count: 20)
    guard let bytes,
      let process = Int32(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)),
      SystemProcess.isRunning(process)
    else { return "another process" }
    return process == getpid() ? "this process (\(process)) already" : "process \(process)"
  }
}
