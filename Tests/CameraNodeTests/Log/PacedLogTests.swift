import Logging
import TestSupport
import Testing

@testable import CameraNode

@ControlLoop struct PacedLogTests {
  @Test func `Of many changes the operator is told the first, the number and the last`() async {
    let lines = Recorded<String>()
    let log = PacedLog(.adding(to: lines), interval: .milliseconds(50))
    for number in 1...1000 { log.warning("camera front", "change \(number)") }
    log.info("camera back", "streams")
    let told = await lines.atLeast(PacedLog.most + 2)
    #expect(told.first == "camera front: change 1" && told.contains("camera back: streams"))
    #expect(told.last == "camera front: change 1000 (899 lines before it are left out)")
    #expect(told.count == PacedLog.most + 2)

    // Then it begins again.
    for number in 1...101 { log.warning("camera front", "change \(number)") }
    #expect(await lines.atLeast(2 * PacedLog.most + 3).last == "camera front: change 101")

    // Nothing is kept back when the node ends.
    for number in 1...101 { log.warning("camera front", "end \(number)") }
    log.close()
    #expect(lines.events.last == "camera front: end 101")
  }
}
