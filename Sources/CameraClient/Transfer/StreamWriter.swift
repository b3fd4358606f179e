import OperatingSystem

/// A device or a pipe that takes several files, one after the other. A pipe's reader would take the
/// end of the first one for the end of all, so it is opened once.
package final class StreamWriter: Sendable {
  private let path: String
  private let file: FileDescriptor
  private let interrupter: Interrupter

  /// Opens it, and waits for a pipe's reader until the task is cancelled.
  package static func open(_ path: String) async throws(CameraBusError) -> StreamWriter {
    do throws(SystemError) {
      let interrupter = try Interrupter()
      return try await OwnThread.run(interrupter) { () throws(SystemError) in
        StreamWriter(path, try FileDescriptor.openStream(path, interrupter), interrupter)
      }
    } catch {
      throw CameraBusError(error, path: path)
    }
  }

  private init(_ path: String, _ file: consuming FileDescriptor, _ interrupter: Interrupter) {
    self.path = path
    self.file = file
    self.interrupter = interrupter
  }

  /// Writes all of these bytes.
  package func write(_ bytes: [UInt8]) async throws(CameraBusError) {
    do throws(SystemError) {
      try await OwnThread.run(interrupter) { [self] () throws(SystemError) in
        try file.write(unsafe bytes.span.bytes, interrupter)
      }
    } catch {
      throw CameraBusError(error, path: path)
    }
  }
}
