package import OperatingSystem

extension FileWriter {
  /// Writes a whole file on a thread of its own.
  ///
  /// - Parameter overwrites: Whether a file that is there is replaced; if not, it is `fileExists`.
  /// - Throws: `cancelled` when the task is while a device or a pipe lets it wait.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    overwrites: Bool
  ) async throws(CameraBusError) {
    do throws(SystemError) {
      let interrupter = try Interrupter()
      try await OwnThread.run(interrupter) { () throws(SystemError) in
        var file = try FileWriter(path, overwrites: overwrites, interrupter)
        try file.write(unsafe bytes.span.bytes)
        try file.commit()
      }
    } catch {
      throw CameraBusError(error, path: path)
    }
  }
}
