import CameraProtocol
import Foundation
import Testing

@testable import CameraClient

struct EventPositionTests {
  private let epoch = Identifier(Epoch.random())

  @Test func `A position is read as it is written`() throws {
    let text = "\(epoch):front/capture=12,front/subject_area=1,left/state=3"
    let position = try #require(EventPosition(text))
    #expect("\(position)" == text)
    #expect(position.number(of: "front", .subjectArea) == 1)
    #expect(position.number(of: "front", .state) == 0)
    // Kinds may also be written as JSON names them.
    let other = "\(epoch):left/state=3,front/subjectArea=1,front/capture=12"
    #expect(EventPosition(other) == position)
    let json = try JSONEncoder().encode([position])
    #expect(try JSONDecoder().decode([EventPosition].self, from: json) == [position])
    #expect(EventPosition("\(epoch)") == EventPosition(epoch: epoch))
  }

  @Test(arguments: [
    "", "0", ":front/state=1", "EPOCH:front/state", "EPOCH:front/state=", "EPOCH:front/state=-1",
    "EPOCH:front/state=1,", "EPOCH:front/state=1,front/state=2", "EPOCH:front/nonsense=1",
    "EPOCH:/state=1", "EPOCH:a b/state=1", "EPOCH:front/state=18446744073709551615",
    "EPOCH:front/state=1=2", "EPOCH:front/state/x=1",
  ])
  func `Other texts are no positions`(_ text: String) {
    #expect(EventPosition(text.replacing("EPOCH", with: "\(epoch)")) == nil)
  }

  @Test func `A position follows what was read, through gaps and restarts`() {
    var position = EventPosition(["event/cam/state/": 4], of: epoch)
    position.take(event("cam", 5, of: epoch))
    position.take(.gap(missed: 3, camera: "cam", kind: .state))
    #expect("\(position)" == "\(epoch):cam/state=8")
    // The snapshot of one camera leaves the others alone.
    position.take(snapshot(["event/other/state/": 2], of: epoch))
    #expect("\(position)" == "\(epoch):cam/state=8,other/state=2")
    let next = Identifier(Epoch.random())
    position.take(.nodeRestarted)
    position.take(event("cam", 1, of: next))
    #expect("\(position)" == "\(next):cam/state=1")
    position.take(.gap(missed: .max, camera: "cam", kind: .state))
    position.take(.gap(missed: .max, camera: "cam", kind: .state))
    position.take(.gap(missed: .max, camera: "cam", kind: .state))
    #expect(position.number(of: "cam", .state) == UInt64.max - 1)
  }

  @Test func `A position that the node has not reached is another node's`() {
    let position = EventPosition(["event/cam/state/": 4], of: epoch)
    let scope = EventScope()
    #expect(position.mistake(at: status(["event/cam/state/": 4], of: epoch), scope) == nil)
    let error = position.mistake(at: status(["event/cam/state/": 3], of: epoch), scope)
    #expect(error?.code == .invalidArgument && error?.message.contains("cam/state") == true)
    #expect(position.mistake(at: status([:], of: Identifier(Epoch.random())), scope) == nil)
    let other = EventScope(camera: "other")
    #expect(position.mistake(at: status([:], of: epoch), other) == nil)
  }

  private func event(_ camera: String, _ sequence: UInt64, of epoch: Identifier) -> NodeEvent {
    .event(
      CameraEvent(
        epoch: epoch, sequence: sequence, camera: camera,
        time: Timestamp(monotonic: .init(nanoseconds: 1), wall: .init(nanoseconds: 1)),
        body: .state(CameraStatus(.init()))))
  }

  private func snapshot(_ numbers: [String: UInt64], of epoch: Identifier) -> NodeEvent {
    .snapshot(status(numbers, of: epoch))
  }

  private func status(_ numbers: [String: UInt64], of epoch: Identifier) -> NodeStatus {
    var status = NodeStatus(.init(), epoch: .random())
    status.epoch = epoch
    status.eventPosition = EventPosition(numbers, of: epoch)
    return status
  }
}
