import EventLoop
import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

struct ConnectionWatchTests {
  /// The monitor of another endpoint may announce a connection so late that its descriptor is this
  /// one's already.
  @Test func `The late announcement of another endpoint's connection ends nobody's`() async throws {
    let loop = EventLoop(name: "connections")
    let watch = try ConnectionWatch(
      on: loop, access: .open, limits: ConnectionLimits(), log: .silent)
    let (control, frames) = (try IPCListener(), try IPCListener())
    // More than may begin within a second.
    let others = try (0..<100).map { _ in try frames.connect().accepted }
    let (peer, accepted) = try control.connect()
    await loop.run {
      watch.take(.listening, control.descriptor, at: .control)
      watch.take(.listening, frames.descriptor, at: .frames)
      for descriptor in others + [accepted] { watch.take(.accepted, descriptor, at: .frames) }
    }
    #expect(throws: Never.self, "the connection was ended") { try peer.send([0xFF]) }
    for descriptor in others + [accepted] { close(descriptor) }
    await watch.close()
    await Task.detached { loop.stop() }.value
  }
}
