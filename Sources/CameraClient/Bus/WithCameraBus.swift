/// Connects to a node for as long as `body` runs, and closes the connection however it ends.
///
/// ```swift
/// try await withCameraBus("tcp://127.0.0.1:5570") { bus in
///   let photo = try await bus.camera("cam").capture()
///   try await photo.write(to: "still.jpg")
/// }
/// ```
/// - Parameters:
///   - control: The node's control endpoint.
///   - configuration: Where to find the rest of the node, and how long to wait for it.
///   - body: Uses the connection. Sequences and requests that it leaves behind end with `closed`.
/// - Returns: What `body` returns.
/// - Throws: `invalidArgument` for a text that is no endpoint; otherwise what `body` throws.
public func withCameraBus<R>(
  _ control: String = CameraBus.defaultControl,
  configuration: CameraBus.Configuration = .init(),
  _ body: (CameraBus) async throws -> R
) async throws -> R {
  let bus = try CameraBus(control, configuration: configuration)
  let result: R
  do {
    result = try await body(bus)
  } catch {
    await bus.close()
    throw error
  }
  await bus.close()
  return result
}
