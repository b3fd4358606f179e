import Digest
import Glibc
import OperatingSystem

extension Asset {
  /// Bytes that are read at a time.
  private static let pieceSize = 1 << 20

  /// Whether a file here has the bytes of the asset: its length and its SHA-256. Nothing else than
  /// a file does, and neither does one that may not be read.
  /// - Throws: `cancelled` when the task is.
  package func isFile(at path: String) async throws(CameraBusError) -> Bool {
    guard let status = try? FileStatus(at: path), status.isRegularFile,
      UInt64(status.byteCount) == byteCount
    else { return false }
    do throws(SystemError) {
      let interrupter = try Interrupter()
      return try await OwnThread.run(interrupter) { () throws(SystemError) in
        try digest(of: path, interrupter) == sha256
      }
    } catch {
      if error.errno == ECANCELED { throw .cancelled }
      return false
    }
  }

  private func digest(of path: String, _ interrupter: Interrupter) throws(SystemError) -> String {
    let file = try FileDescriptor.openFile(path, followsLinks: true)
    var hash = SHA256()
    var offset = 0
    while true {
      try interrupter.pause(milliseconds: 0)
      let piece = try file.read(at: offset, count: Self.pieceSize)
      guard !piece.isEmpty else { return "\(hash.finalize())" }
      unsafe hash.update(piece.span.bytes)
      offset += piece.count
    }
  }
}
