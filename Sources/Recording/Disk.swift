import CFFmpeg
import Glibc
import OperatingSystem
import Words

/// File operations for movies, which report failures as `RecordingError`.
enum Disk {
  /// - Parameters:
  ///   - byteCount: What is about to be written.
  ///   - reserve: What must stay free all the same.
  /// - Throws: `storageFull` without that room, `storageFailed` if the free space cannot be read.
  static func requireSpace(
    for byteCount: Int = 0,
    reserve: Int,
    forMovieAt path: String
  ) throws(RecordingError) {
    let folder = Folder.parent(of: path)
    let free = try onDisk(path) { () throws(SystemError) in try DiskSpace(of: folder).freeBytes }
    guard free < reserve + byteCount else { return }
    let need = byteCount > 0 ? ", and the movie needs \(byteCount.byteWords)" : ""
    throw RecordingError(
      .storageFull,
      "the disk of \(folder) has \(free.byteWords) free and keeps \(reserve.byteWords) in reserve\(need): "
        + "free some, or record elsewhere"
    )
  }

  /// Waits until the file's bytes are on the disk.
  static func synchronize(_ path: String) throws(RecordingError) {
    try onDisk(path) { () throws(SystemError) in try open(path).synchronize() }
  }

  /// Waits until the file's bytes and its name are on the disk.
  static func synchronizeWithName(_ path: String) throws(RecordingError) {
    try onDisk(path) { () throws(SystemError) in
      try open(path).synchronize()
      try Folder.synchronize(Folder.parent(of: path))
    }
  }

  /// Replaces the file at `path` by the file `new` in one step, and waits until the change is on
  /// the disk.
  static func replace(_ path: String, by new: String) throws(RecordingError) {
    try onDisk(path) { () throws(SystemError) in try open(new).publish(as: path) }
  }

  /// The file's size; nil if there is no such file.
  /// - Throws: `unreadable` for a link, a pipe or a device, which may have no end.
  static func byteCount(of path: String) throws(RecordingError) -> Int? {
    let status = try onDisk(path) { () throws(SystemError) -> FileStatus? in
      do throws(SystemError) {
        return try FileStatus(at: path, followsLinks: false)
      } catch {
        guard error.errno == ENOENT else { throw error }
        return nil
      }
    }
    guard let status else { return nil }
    guard status.isRegularFile else {
      throw RecordingError(.unreadable, "\(path) was a movie and is no file now: look what it is")
    }
    return status.byteCount
  }

  /// At most so many bytes of a file; fewer where it ends before.
  static func read(_ path: String, at offset: Int, count: Int) throws(RecordingError) -> [UInt8] {
    try onDisk(path) { () throws(SystemError) in try open(path).read(at: offset, count: count) }
  }

  /// Cuts the file off at a place, and waits until that is on the disk.
  static func cut(_ path: String, at byteCount: Int) throws(RecordingError) {
    guard unsafe truncate(path, off_t(byteCount)) == 0 else {
      throw RecordingError(status: CFFmpeg_error(errno), path: path)
    }
    try synchronize(path)
  }

  /// Whether the file contains these bytes in a row.
  /// - Parameter bytes: At least one.
  static func contains(
    _ bytes: [UInt8], fileAt path: String, _ isCancelled: () -> Bool
  ) throws(RecordingError) -> Bool {
    let found = try onDisk(path) { () throws(SystemError) -> Bool? in
      let file = try open(path)
      let pieceSize = 1 << 20
      var offset = 0
      while true {
        if isCancelled() { return nil }
        let piece = try file.read(at: offset, count: pieceSize)
        if piece.firstRange(of: bytes) != nil { return true }
        guard piece.count == pieceSize else { return false }
        // The pieces overlap, because the bytes may lie across the end of one.
        offset += pieceSize - (bytes.count - 1)
      }
    }
    guard let found else {
      throw RecordingError(.cancelled, "the movie \(path) was not read to its end")
    }
    return found
  }

  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor.openFile(path, followsLinks: true)
  }

  private static func onDisk<R>(
    _ path: String,
    _ body: () throws(SystemError) -> R
  ) throws(RecordingError) -> R {
    do throws(SystemError) {
      return try body()
    } catch {
      throw RecordingError(status: CFFmpeg_error(error.errno), path: path)
    }
  }
}
