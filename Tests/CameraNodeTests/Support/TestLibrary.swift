import EventLoop
import MediaLibrary
import TestSupport

/// Runs `body` with an empty library.
func withLibrary<R: Sendable>(_ body: (MediaLibrary) async throws -> R) async throws -> R {
  let folder = try TemporaryFolder()
  let loop = EventLoop(name: "test-library")
  let library = try MediaLibrary(folder: folder.path, loop: loop)
  _ = try await library.open()
  return try await attempt {
    try await body(library)
  } finally: {
    await library.close()
    loop.stop()
  }
}
