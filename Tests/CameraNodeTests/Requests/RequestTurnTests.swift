import CameraProtocol
import Glibc
import Keys
import TestSupport
import Testing

@testable import CameraNode

struct RequestTurnTests {
  /// Otherwise a few dozen requests that take long to read would end the node as one that hangs.
  @Test(.timeLimit(.minutes(5)))
  func `Requests that take long let other work run in between`() async throws {
    try await RequestRouter.withBench { router, endpoint in
      // The requests wait in the socket until the router serves them.
      let peer = try RawPeer(endpoint, as: "DEALER")
      for _ in 0..<5 { try peer.request(.status(.init())) }
      peer.endSending()
      await peer.waitForEnd()
      let log = Recorded<String>()
      await router.serve { _ in
        .notice(for: .viewer) { _ in
          if log.events.isEmpty { ControlLoop.enter { log.add("other") } }
          usleep(10_000)
          log.add("request")
        }
      }
      #expect(await log.atLeast(6).last == "request")
    }
  }
}
