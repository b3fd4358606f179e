import CameraProtocol
import EventLoop
import TestSupport
import ZeroMQ

@testable import CameraNode

extension RequestRouter {
  /// Runs `body` with a router that listens but does not serve yet, its endpoint and its loop.
  static func withBench(
    _ body: (RequestRouter, String, EventLoop) async throws -> Void
  ) async throws {
    let (loop, watchLoop) = (EventLoop(name: "control"), EventLoop(name: "connections"))
    let context = try Context()
    let watch = try ConnectionWatch(
      on: watchLoop, access: .open, limits: ConnectionLimits(), log: .silent)
    let (router, endpoint) = try await open(
      context, on: loop, endpoint: "tcp://127.0.0.1:*", ipc: nil, doors: .open,
      epoch: .random(), limits: NodeLimits(),
      connections: try await watch.watch(.control, in: context),
      log: .silent)
    try await attempt {
      try await body(router, endpoint, loop)
    } finally: {
      await router.close()
      await watch.close()
      for loop in [loop, watchLoop] { await Task.detached { loop.stop() }.value }
      try context.close()
    }
  }
}
