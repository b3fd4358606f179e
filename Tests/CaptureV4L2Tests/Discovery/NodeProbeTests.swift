import Capture
import Dispatch
import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureV4L2

@Suite(.timeLimit(.minutes(1)))
struct NodeProbeTests {
  @Test func `A node that hangs costs its own answer alone, and is not asked twice`() async throws {
    let shelf = try DeviceShelf(patience: .milliseconds(50))
    for (port, node) in [("1-1", "video0"), ("1-2", "video1"), ("1-3", "video2")] {
      try shelf.plug(DeviceShelf.Camera(port: port, serial: port), node)
    }
    shelf.hang("video1")
    for _ in 1...2 {
      let devices = shelf.discovery().devices()
      #expect(devices.map(\.description.location.last) == ["0", "1", "2"])
      #expect(devices.map { $0.problem?.code } == [nil, .deviceStalled, nil])
      #expect(devices[1].problem?.message.contains("asked to describe") == true)
    }
    #expect(shelf.asked.events.count { $0 == "video1" } == 1)
    // A camera named by its port is found beside it.
    #expect(throws: Never.self) { try shelf.discovery().resolve("video2") }

    shelf.release()
    await shelf.answered.wait { $0.contains("video1") }
    var devices = shelf.discovery().devices()
    // The thread that was asked may not have left yet.
    while devices[1].problem != nil { devices = shelf.discovery().devices() }
    #expect(devices.allSatisfy { $0.problem == nil })
  }

  @Test func `Those who wait for a node that hangs can be told to wait no longer`() async throws {
    let shelf = try DeviceShelf(patience: .seconds(3600))
    try shelf.plug(DeviceShelf.Camera(port: "1-1"), "video0")
    shelf.hang("video0")
    let found = Recorded<[V4L2Discovery.Device]>()
    let thread = try #require(
      SystemThread.start { found.add(shelf.discovery().devices()) })
    await shelf.asked.atLeast(1)
    shelf.probes.hurry()
    #expect(await found.atLeast(1)[0].map { $0.problem?.code } == [.deviceStalled])
    pthread_join(thread, nil)
    shelf.release()
  }
}
