import CameraClient
import CameraProtocol
import Testing

struct ReadinessMachineTests {
  private let id = RequestID.random()
  private var machine = ReadinessMachine()

  @Test mutating func `Readiness is unknown before the node's first event`() {
    #expect(machine.readiness == nil)
    machine.sent(id)
    #expect(machine.readiness == nil)
  }

  @Test
  mutating func `A request that the node has not answered makes the camera momentarily not ready`()
  {
    machine.published(.ready)
    #expect(machine.readiness == .ready)
    machine.sent(id)
    #expect(machine.readiness == .notReadyMomentarily)
    machine.answered(id)
    #expect(machine.readiness == .ready)
  }

  @Test mutating func `The node's reason counts before this program's own requests`() {
    machine.published(.notReadyWaitingForProcessing)
    machine.sent(id)
    #expect(machine.readiness == .notReadyWaitingForProcessing)
  }

  @Test mutating func `Readiness is unknown while the node is silent`() {
    machine.published(.ready)
    machine.published(nil)
    #expect(machine.readiness == nil)
  }
}
