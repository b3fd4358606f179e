import Glibc

extension FileDescriptor {
  /// How often a pipe without a reader is tried again.
  private static let readerInterval: Int32 = 50

  /// Opens a device or a pipe to write into it, and waits for a pipe's reader.
  ///
  /// It does not block, so that writing can be interrupted too.
  /// - Throws: `ECANCELED` when it is interrupted.
  package static func openStream(
    _ path: String,
    _ interrupter: Interrupter
  ) throws(SystemError) -> FileDescriptor {
    let isPipe = try FileStatus(at: path).isPipe
    while true {
      do throws(SystemError) {
        return try FileDescriptor(path, O_WRONLY | O_NOCTTY | O_NONBLOCK, followsLinks: true)
      } catch {
        guard isPipe, error.errno == ENXIO else { throw error }
      }
      // No event reports a pipe's first reader.
      try interrupter.pause(milliseconds: readerInterval)
    }
  }

  /// Reads a file, a device or a pipe to its end.
  ///
  /// - Parameter limit: The most bytes to read.
  /// - Throws: `EFBIG` if there are more; `ECANCELED` when it is interrupted.
  package static func readAll(
    _ path: String,
    upTo limit: Int,
    _ interrupter: Interrupter
  ) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, followsLinks: true)
    return try readAll(of: file.rawValue, at: path, upTo: limit, interrupter)
  }

  /// Reads a descriptor that somebody else owns, such as the standard input, to its end.
  package static func readAll(
    of descriptor: Int32,
    at path: String,
    upTo limit: Int,
    _ interrupter: Interrupter
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      try Interrupter.wait(for: POLLIN, on: descriptor, until: interrupter)
      let count: Int
      do throws(SystemError) {
        count = try systemCall("read \(path)") {
          unsafe Glibc.read(descriptor, &piece, piece.count)
        }
      } catch {
        guard error.errno == EAGAIN else { throw error }
        continue
      }
      guard count > 0 else { return bytes }
      bytes += piece.prefix(count)
      guard bytes.count <= limit else { throw SystemError(errno: EFBIG, operation: "read \(path)") }
    }
  }
}
