import EventLoop
import Logging
import TestSupport
import Testing

@testable import CameraNode

struct CameraLogTests {
  @Test func `Of many changes the operator is told the first, the number and the last`() async {
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let lines = Recorded<String>()
    let log = CameraLog(on: loop, .adding(to: lines), interval: .milliseconds(50))
    await loop.run {
      for number in 1...1000 { log.warning("front", "change \(number)") }
      log.info("back", "streams")
    }
    let told = await lines.atLeast(CameraLog.most + 2)
    #expect(told.first == "camera front: change 1" && told.contains("camera back: streams"))
    #expect(told.last == "camera front: change 1000, after 979 changes that are left out here")
    #expect(told.count == CameraLog.most + 2)

    // Then it begins again.
    await loop.run { for number in 1...21 { log.warning("front", "change \(number)") } }
    #expect(await lines.atLeast(2 * CameraLog.most + 3).last == "camera front: change 21")

    // Nothing is kept back when the node ends.
    await loop.run {
      for number in 1...21 { log.warning("front", "end \(number)") }
      log.close()
    }
    #expect(lines.events.last == "camera front: end 21")
  }
}
