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
      file = try Self.take(layout)
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

  /// How often, and with what pauses in microseconds, it tries when the process is gone that had
  /// the lock. A program that it had just begun to start may have its descriptors a moment longer.
  private static let tries = (count: 100, pause: UInt32(10_000))

  private static func take(_ layout: LibraryLayout) throws(SystemError) -> FileDescriptor {
    // To open the file is enough to lock it (flock(2)), so nobody else may read it.
    var file = try FileDescriptor(layout.lock, O_RDWR | O_CREAT, mode: 0o600)
    for number in 1... {
      do throws(SystemError) {
        try file.lock()
        break
      } catch {
        guard error.errno == EWOULDBLOCK, number < tries.count, runningOwner(layout) == nil else {
          throw error
        }
        usleep(tries.pause)
      }
    }
    LibraryLayout.keepPrivate(file)
    try file.truncate()
    unsafe try file.write(Array("\(getpid())\n".utf8).span.bytes)
    return file
  }

  private static func owner(_ layout: LibraryLayout) -> String {
    guard let process = runningOwner(layout) else { return "another process" }
    return process == getpid() ? "this process (\(process)) already" : "process \(process)"
  }

  /// The process that has written its id into the file, if it still runs.
  private static func runningOwner(_ layout: LibraryLayout) -> Int32? {
    let bytes = try? FileDescriptor(layout.lock, O_RDONLY).read(at: 0, count: 20)
    guard let bytes, let process = Int32(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self))
    else { return nil }
    return SystemProcess.isRunning(process) ? process : nil
  }
}
