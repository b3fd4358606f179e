import EventLoop
import MediaLibrary

/// Runs `body` with an empty library.
func withLibrary<R: Sendable>(_ body: (MediaLibrary) async throws -> R) async throws -> R {
  try await withTemporaryFolder { folder in
    let loop = EventLoop(name: "test-library")
    let library = try MediaLibrary(folder: folder, loop: loop)
    _ = try await library.open()
    let result: Result<R, any Error>
    do { result = .success(try await body(library)) } catch { result = .failure(error) }
    await library.close()
    loop.stop()
    return try result.get()
  }
}
