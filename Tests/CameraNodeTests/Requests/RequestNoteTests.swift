import CameraProtocol
import Keys
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode
@testable import EventLoop

struct RequestNoteTests {
  @Test(.timeLimit(.minutes(5)))
  func `The report of a stuck loop names the size and origin of a request that was not read yet`()
    async throws
  {
    try await RequestRouter.withBench { router, endpoint in
      await router.serve { _ in .notice(for: .viewer) { _ in } }
      try await TestClient.with(control: endpoint, events: endpoint, frames: endpoint) { client in
        let loop = ControlLoop.shared.loop
        var activity = ""
        // The routers of other tests note their requests too.
        while !activity.hasSuffix("the last request was one of 7 bytes from this machine") {
          try await client.send(parts: [Framing.signature, [0xFF, 0xFF, 0xFF, 0xFF]])
          _ = try await client.arrival { $0.replies.first }
          activity = await loop.run { loop.turns.activity }
        }
      }
    }
  }
}
