import CFFmpeg
import EventLoop
import Glibc

/// The room on a movie's disk.
enum FreeSpace {
  /// - Throws: `storageFull` unless the disk has so many bytes free; `storageFailed` when it cannot be asked.
  static func require(_ byteCount: Int, forMovieAt path: String) throws(RecordingError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var status = statvfs()
    do {
      _ = try systemCall("statvfs") { unsafe statvfs(folder, &status) }
    } catch {
      throw RecordingError(status: CFFmpeg_error(error.errno), path: path)
    }
    let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    guard free < byteCount else { return }
    throw RecordingError(
      .storageFull,
      "the disk of \(folder) has \(free) bytes free and keeps \(byteCount) in reserve: "
        + "free some, or record elsewhere"
    )
  }
}
