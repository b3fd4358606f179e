import CFFmpeg
import Glibc
import OperatingSystem

/// What a movie asks of the disk that it is on.
enum Disk {
  /// - Throws: `storageFull` unless the disk has so many bytes free; `storageFailed` when it cannot be asked.
  static func requireSpace(_ byteCount: Int, forMovieAt path: String) throws(RecordingError) {
    let folder = folder(of: path)
    var status = statvfs()
    try call("statvfs", path) { unsafe statvfs(folder, &status) }
    let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    guard free < byteCount else { return }
    throw RecordingError(
      .storageFull,
      "the disk of \(folder) has \(free) bytes free and keeps \(byteCount) in reserve: "
        + "free some, or record elsewhere"
    )
  }

  /// Waits until the file, or the folder, is on the disk as it is now.
  static func synchronize(_ path: String) throws(RecordingError) {
    let file = try call("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    do throws(SystemError) {
      try systemCall("fsync") { fsync(file) }
    } catch {
      // Some file systems cannot do it for folders and say so; they do it by themselves.
      guard error.errno != EINVAL else { return }
      throw RecordingError(status: CFFmpeg_error(error.errno), path: path)
    }
  }

  /// Waits until the file is on the disk and found there by its name.
  static func synchronizeWithName(_ path: String) throws(RecordingError) {
    try synchronize(path)
    try synchronize(folder(of: path))
  }

  /// Gives the file the name of another, which it takes the place of, and waits until that is on the disk.
  static func replace(_ path: String, by new: String) throws(RecordingError) {
    try call("rename", path) { unsafe rename(new, path) }
    try synchronizeWithName(path)
  }

  /// Nil when there is no such file.
  static func byteCount(of path: String) throws(RecordingError) -> Int? {
    var status = stat()
    do throws(SystemError) {
      try systemCall("stat") { unsafe stat(path, &status) }
    } catch {
      if error.errno == ENOENT { return nil }
      throw RecordingError(status: CFFmpeg_error(error.errno), path: path)
    }
    return Int(status.st_size)
  }

  /// Whether the bytes are anywhere in the file; at least one of them.
  static func contains(_ bytes: [UInt8], fileAt path: String) throws(RecordingError) -> Bool {
    let file = try call("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    // The end of what was read before stays at the beginning, for the bytes may lie across.
    var kept = 0
    while true {
      let count = try call("read", path) {
        unsafe buffer.withUnsafeMutableBytes { buffer in
          unsafe read(file, buffer.baseAddress?.advanced(by: kept), buffer.count - kept)
        }
      }
      guard count > 0 else { return false }
      let end = kept + count
      if buffer[..<end].firstRange(of: bytes) != nil { return true }
      kept = min(bytes.count - 1, end)
      buffer.replaceSubrange(0..<kept, with: buffer[(end - kept)..<end])
    }
  }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  @discardableResult
  private static func call<Result: SignedInteger>(
    _ operation: String,
    _ path: String,
    _ body: () -> Result
  ) throws(RecordingError) -> Result {
    do throws(SystemError) {
      return try systemCall(operation, body)
    } catch {
      throw RecordingError(status: CFFmpeg_error(error.errno), path: path)
    }
  }
}
