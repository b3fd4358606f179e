import CameraClient
import EventLoop
import TestSupport
import ZeroMQ

/// Runs `body` with a fake node and a client of it, and closes both at its end.
func withFakeNode(
  connectTimeout: Duration = .seconds(20),
  requestTimeout: Duration = .seconds(20),
  _ body: @Sendable (FakeNode, CameraBus) async throws -> Void
) async throws {
  let context = try Context()
  let loop = EventLoop(name: "fake node")
  let node = FakeNode(on: loop, context)
  try await node.open()
  let configuration = CameraBus.Configuration(
    connectTimeout: connectTimeout,
    requestTimeout: requestTimeout
  )
  let bus = try CameraBus(await node.control, configuration: configuration)
  try await attempt {
    try await body(node, bus)
  } finally: {
    await bus.close()
    await node.close()
    loop.stop()
    try context.close()
  }
}

/// The error that `body` throws; nil when it throws none.
func failure(_ body: () async throws(CameraBusError) -> Void) async -> CameraBusError? {
  do {
    try await body()
    return nil
  } catch {
    return error
  }
}
