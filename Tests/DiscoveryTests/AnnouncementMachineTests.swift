import Testing

@testable import Discovery

struct AnnouncementMachineTests {
  @Test func `A node is announced when the daemon is ready`() {
    var machine = AnnouncementMachine(name: "desk")
    #expect(machine.take(.problem(.noDaemon)) == [.tell(.problem(.noDaemon))])
    #expect(machine.take(.ready) == [.publish(name: "desk")])
    #expect(
      machine.take(.established) == [.tell(.announced(name: "desk", isWanted: true))])
  }

  @Test func `A taken name gives way to the alternative`() {
    var machine = AnnouncementMachine(name: "desk")
    _ = machine.take(.ready)
    #expect(machine.take(.collision(alternative: "desk #2")) == [.publish(name: "desk #2")])
    #expect(
      machine.take(.established) == [.tell(.announced(name: "desk #2", isWanted: false))])
    // The daemon has a new name of its own, and takes services again.
    #expect(machine.take(.notReady) == [.withdraw])
    #expect(machine.take(.ready) == [.publish(name: "desk #2")])
  }

  @Test func `A daemon that starts again is told the node's own name`() {
    var machine = AnnouncementMachine(name: "desk")
    _ = machine.take(.collision(alternative: "desk #2"))
    _ = machine.take(.established)
    #expect(machine.take(.problem(.noDaemon)) == [.tell(.problem(.noDaemon))])
    #expect(machine.take(.ready) == [.publish(name: "desk")])
  }

  @Test func `A problem is told once`() {
    var machine = AnnouncementMachine(name: "desk")
    #expect(machine.take(.problem(.noDaemon)).count == 1)
    #expect(machine.take(.problem(.noDaemon)) == [])
    #expect(machine.take(.problem(.noBus("x"))).count == 1)
    #expect(machine.take(.established).count == 1)
    #expect(machine.take(.established) == [])
    #expect(machine.take(.problem(.noDaemon)).count == 1)
  }

  @Test func `A network where every name is taken ends the trying`() {
    var machine = AnnouncementMachine(name: "desk")
    for number in 1...AnnouncementMachine.mostCollisions {
      #expect(
        machine.take(.collision(alternative: "desk #\(number)")) == [
          .publish(name: "desk #\(number)")
        ])
    }
    let actions = machine.take(.collision(alternative: "desk #99"))
    #expect(actions.last == .startAgain)
    #expect(!actions.contains(.publish(name: "desk #99")))
    #expect(machine.take(.ready) == [.publish(name: "desk")])
  }
}
