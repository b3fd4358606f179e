/// Runs `body` and then `end`, whether or not `body` throws, as an asynchronous `defer`. Throws the
/// first error.
package func attempt<R>(
  _ body: () async throws -> R, finally end: () async throws -> Void
) async throws -> R {
  let result: R
  do {
    result = try await body()
  } catch {
    try? await end()
    throw error
  }
  try await end()
  return result
}
