import CameraClient

/// Runs `body` until `watch` says why it is not waited for any longer, and then cancels it.
/// - Throws: The error of either.
func race<R: Sendable>(
  _ body: @escaping @Sendable () async throws(CameraBusError) -> R,
  until watch: @escaping @Sendable () async -> CameraBusError
) async throws(CameraBusError) -> R {
  let result = await withTaskGroup(of: Result<R, CameraBusError>.self) { group in
    group.addTask {
      do throws(CameraBusError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    group.addTask { .failure(await watch()) }
    defer { group.cancelAll() }
    return await group.next() ?? .failure(CameraBusError(.internal, "no task has a result"))
  }
  return try result.get()
}

/// Runs `body` for at most so long.
/// - Parameters:
///   - late: The error after that.
///   - cancelled: What was given up, where the task is cancelled.
/// - Throws: Also `timedOut` with the words of `late`, and `cancelled`.
func race<R: Sendable>(
  for limit: Duration, late: String, cancelled: String,
  _ body: @escaping @Sendable () async throws(CameraBusError) -> R
) async throws(CameraBusError) -> R {
  try await race(body) {
    guard (try? await Task.sleep(for: limit)) != nil else {
      return CameraBusError(.cancelled, cancelled)
    }
    return CameraBusError(.timedOut, late)
  }
}
