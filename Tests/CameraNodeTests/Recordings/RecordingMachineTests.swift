import CameraProtocol
import Testing

@testable import CameraNode

struct RecordingMachineTests {
  /// A machine whose changes `#expect` can compare.
  private final class Machine {
    private var machine = RecordingMachine<Int>()

    func begin() -> Bool { machine.begin(.random()) }
    func opened() -> Bool { machine.opened() }
    @discardableResult func openingFailed() -> [Int] { machine.openingFailed() }
    var isToStop: Bool { machine.isToStop }
    var id: RequestID? { machine.id }
    func stop(_ stop: Int) -> RecordingMachine<Int>.StopAnswer { machine.stop(stop) }
    func wait(_ stop: Int) -> Bool { machine.wait(stop) }
    func end() -> Bool { machine.end() }
    var isActive: Bool { machine.isActive }
    func ended() -> (stops: [Int], endedByItself: Bool) { machine.ended() }
  }

  private func recording() -> Machine {
    let machine = Machine()
    _ = machine.begin()
    _ = machine.opened()
    return machine
  }

  @Test func `One recording runs at a time`() {
    let machine = Machine()
    #expect(machine.begin())
    #expect(!machine.begin())
    #expect(machine.opened())
    #expect(!machine.begin())
    #expect(machine.end())
    #expect(!machine.begin(), "The last frames are still being written")
    _ = machine.ended()
    #expect(machine.begin())
  }

  @Test func `A movie that cannot be made leaves room for the next one`() {
    let machine = Machine()
    #expect(machine.begin())
    machine.openingFailed()
    #expect(machine.begin())
  }

  @Test func `A recording is given up when the stream ends while its file is being made`() {
    let machine = Machine()
    #expect(machine.begin())
    #expect(!machine.end(), "There is no recorder to stop yet")
    #expect(!machine.begin())
    #expect(!machine.opened())
    #expect(machine.stop(1) == .wait)
    #expect(machine.openingFailed() == [1])
    #expect(machine.id == nil)
    #expect(machine.begin())
  }

  @Test func `A request to stop is refused while nothing is recorded`() {
    let machine = Machine()
    #expect(machine.stop(1) == .refuse)
    #expect(machine.id == nil)
    #expect(machine.begin())
    #expect(machine.ended().stops == [])
  }

  @Test func `A request to stop that comes before the start stops the recording after it`() {
    let machine = Machine()
    #expect(machine.begin() && machine.id != nil)
    #expect(machine.stop(1) == .wait && machine.isToStop)
    #expect(machine.opened())
    #expect(machine.end(), "The recorder has to be told")
    #expect(machine.ended().stops == [1])
    #expect(machine.begin() && !machine.isToStop)
    #expect(machine.stop(2) == .wait)
    #expect(machine.openingFailed() == [2])
    #expect(machine.begin() && !machine.isToStop)
  }

  @Test func `The recorder is told to stop once, and all requests to stop are answered`() {
    let machine = recording()
    #expect(machine.stop(1) == .stopRecorder)
    #expect(machine.stop(2) == .wait)
    #expect(!machine.end())
    let end = machine.ended()
    #expect(end.stops == [1, 2])
    #expect(!end.endedByItself)
  }

  @Test func `A request to stop waits for a recording that ends because of the camera`() {
    let machine = recording()
    #expect(machine.end())
    #expect(machine.stop(1) == .wait)
    #expect(machine.ended().stops == [1])
  }

  @Test func `Only a recording that is ending is waited for`() {
    let machine = Machine()
    #expect(!machine.wait(1) && !machine.isActive)
    _ = machine.begin()
    #expect(!machine.wait(2) && machine.isActive)
    _ = machine.opened()
    #expect(!machine.wait(3) && machine.isActive)
    _ = machine.end()
    #expect(machine.wait(4) && !machine.isActive)
    #expect(machine.ended().stops == [4])
  }

  @Test func `A recorder that reached its limit ended by itself`() {
    let machine = recording()
    #expect(machine.ended().endedByItself)
    #expect(machine.stop(1) == .refuse)
  }

  @Test func `Requests to stop do not carry over to the next recording`() {
    let machine = recording()
    _ = machine.stop(1)
    _ = machine.ended()
    _ = machine.begin()
    _ = machine.opened()
    #expect(machine.ended().stops == [])
  }
}
