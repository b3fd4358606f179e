import CameraProtocol
import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode
@testable import EventLoop

struct GoneClientTests {
  @Test(.timeLimit(.minutes(5)))
  func `Of the requests of a client that has gone, only those that change something are served`()
    async throws
  {
    try await RequestRouter.withBench { router, endpoint in
      // The requests wait in the socket until the router serves them.
      let gone = try RawPeer(endpoint, as: "DEALER")
      for _ in 0..<5 {
        try gone.request(.status(.init()))
        try gone.request(.sessionStop(.init()))
      }
      let number = try #require(gone.acceptedDescriptor)
      gone.endSending()
      await gone.waitForEnd()
      // libzmq tells a message's connection by its descriptor, which is another socket's now.
      let other = fcntl(gone.descriptor, F_DUPFD_CLOEXEC, number)
      defer { close(other) }
      let served = Recorded<String>()
      await router.serve { body in
        if case .status = body {
          return .direct(isQuestion: true) { call in
            served.add(call.kind)
            call.finish(.status(.init()))
          }
        }
        return .direct { call in
          served.add(call.kind)
          call.finish(.session(.init()))
        }
      }
      try await TestClient.with(control: endpoint, events: endpoint, frames: endpoint) { client in
        _ = try await client.ask(.status(.init()))
      }
      // The last one is the last of all.
      await served.wait { $0.count { $0 == "session_stop" } == 5 }
      #expect(served.events.count { $0 == "status" } == 1)
    }
  }
}
