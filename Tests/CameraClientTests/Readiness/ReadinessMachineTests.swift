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
    machine.ended(id)
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

  @Test mutating func `As many own photos that wait as the node allows make the camera not ready`()
  {
    machine.published(.ready)
    let photos = (0..<WireLimits.unmadePhotos).map { _ in RequestID.random() }
    for photo in photos {
      machine.sent(photo, files: 2)
      machine.answered(photo)
    }
    #expect(machine.readiness == .notReadyWaitingForCapture)
    machine.processed(photos[0])
    #expect(machine.readiness == .notReadyWaitingForCapture)
    machine.processed(photos[0])
    #expect(machine.readiness == .ready)
  }

  @Test mutating func `As many own photos under way as the node allows make the camera not ready`()
  {
    machine.published(.ready)
    let photos = (0..<WireLimits.photos).map { _ in RequestID.random() }
    for photo in photos {
      machine.sent(photo)
      machine.answered(photo)
      machine.processed(photo)
    }
    #expect(machine.readiness == .notReadyWaitingForProcessing)
    machine.ended(photos[0])
    #expect(machine.readiness == .ready)
  }

  @Test mutating func `Another program's lease counts only for a photo that changes the camera`() {
    machine.published(.ready, isLeased: true)
    #expect(machine.readiness == .ready)
    #expect(machine.readinessToChange == .notReadyLeased)
    machine.use(id)
    #expect(machine.readinessToChange == .ready)
  }

  @Test mutating func `An own lease that has ended counts until it is used no more`() {
    machine.published(.ready)
    machine.use(id)
    // The event that tells of the lease has not come yet.
    #expect(machine.readinessToChange == .ready)
    machine.published(.ready, isLeased: true)
    #expect(machine.readinessToChange == .ready)
    machine.published(.ready)
    #expect(machine.readinessToChange == .notReadyLeased)
    machine.use(nil)
    #expect(machine.readinessToChange == .ready)
  }
}
