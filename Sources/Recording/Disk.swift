import CFFmpeg
import Glibc
import OperatingSystem

/// The disk that a movie is on. Its errors are those of a recording.
enum Disk {
  /// - Throws: `storageFull` if the disk has fewer bytes free, `storageFailed` if it cannot be
  ///   asked.
  static func requireSpace(_ byteCount: Int, forMovieAt path: String) throws(RecordingError) {
    let folder = Folder.parent(of: path)
    let free = try onDisk(path) { () throws(SystemError) in try Folder.freeBytes(folder) }
    guard free < byteCount else { return }
    throw RecordingError(
      .storageFull,
      "the disk of \(folder) has \(free) bytes free and keeps \(byteCount) in reserve: "
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

  /// Puts the file `new` in the place of the file at `path`, in one step, and waits until that is
  /// on the disk.
  static func replace(_ path: String, by new: String) throws(RecordingError) {
    try onDisk(path) { () throws(SystemError) in try open(new).publish(as: path) }
  }

  /// Nil if there is no such file.
  static func byteCount(of path: String) throws(RecordingError) -> Int? {
    try onDisk(path) { () throws(SystemError) in
      do throws(SystemError) {
        return try FileStatus(at: path).byteCount
      } catch {
        guard error.errno == ENOENT else { throw error }
        return nil
      }
    }
  }

  /// Whether the bytes, at least one, are anywhere in the file.
  static func contains(_ bytes: [UInt8], fileAt path: String) throws(RecordingError) -> Bool {
    try onDisk(path) { () throws(SystemError) in
      let file = try open(path)
      let pieceSize = 1 << 20
      var offset = 0
      while true {
        let piece = try file.read(at: offset, count: pieceSize)
        if piece.firstRange(of: bytes) != nil { return true }
        guard piece.count == pieceSize else { return false }
        // Pieces overlap, because the bytes may lie across the end of one.
        offset += pieceSize - (bytes.count - 1)
      }
    }
  }

  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(path, O_RDONLY, followsLinks: true)
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
