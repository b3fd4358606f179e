import Glibc
import OperatingSystem

/// An open movie file, which is read on threads of its own.
final class MovieFile: Sendable {
  private let path: String
  private let reader: Mutex<MovieReader>

  private init(_ path: String, _ reader: consuming MovieReader) {
    self.path = path
    self.reader = Mutex(reader)
  }

  static func open(_ path: String) async throws(CameraBusError) -> MovieFile {
    try await reading(path) { () throws(SystemError) in
      MovieFile(path, try MovieReader.open(path))
    }
  }

  /// The next frames; nil behind the last one. There may be none yet.
  func nextFrames() async throws(CameraBusError) -> [MovieFrame]? {
    try await Self.reading(path) { [self] () throws(SystemError) in
      try reader.withLock { (reader) throws(SystemError) in try reader.nextFrames() }
    }
  }

  private static func reading<R: Sendable>(
    _ path: String,
    _ body: @escaping @Sendable () throws(SystemError) -> R
  ) async throws(CameraBusError) -> R {
    do throws(SystemError) {
      return try await OwnThread.run(try Interrupter(), body)
    } catch {
      if error.errno == EILSEQ {
        throw CameraBusError(
          .unsupportedFormat,
          "\(path) is no Matroska file and no MP4: name a movie that a node recorded", cause: error)
      }
      if path.utf8.contains(0) { throw CameraBusError(error, path: path) }
      throw CameraBusError(
        .storageFailed, "\(path) cannot be read (\(error.reason)): name another file",
        cause: error)
    }
  }
}
