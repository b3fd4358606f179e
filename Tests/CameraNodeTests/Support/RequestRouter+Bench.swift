import CameraProtocol
import EventLoop
import TestSupport
import ZeroMQ

@testable import CameraNode

extension RequestRouter {
  /// Runs `body` with a router that listens but does not serve yet, and its endpoint.
  nonisolated static func withBench(
    _ body: (RequestRouter, String) async throws -> Void
  ) async throws {
    let loop = EventLoop(name: "connections")
    let context = try Context()
    let watch = try ConnectionWatch(
      on: loop, access: .open, limits: ConnectionLimits(), log: .silent)
    let place = EndpointPlace(
      context: context, endpoint: "tcp://127.0.0.1:*", ipc: nil, doors: .open, epoch: .random(),
      connections: try await watch.watch(.control, in: context))
    let (router, endpoint) = try await open(at: place, limits: NodeLimits(), log: .silent)
    try await attempt {
      try await body(router, endpoint)
    } finally: {
      await router.close()
      await watch.close()
      await Task.detached { loop.stop() }.value
      try context.close()
    }
  }
}
