/// Runs `body`, and then `end` however it went: a `defer` that may wait. What fails first is thrown.
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
