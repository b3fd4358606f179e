import Glibc
import OperatingSystem
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1)))
struct PollerTests {
  private final class Signalled: EventSource {
    let pipe = Pipe()
    var count = 0
    var descriptor: Int32 { pipe.reader }

    func hasWork() -> Bool { false }
    func descriptorBecameReadable() { count += 1 }
    func process() {}
  }

  @Test func `A source that rests is not woken by its descriptor, and is again afterwards`() {
    let wakeUp = Pipe()
    let poller = Poller(wakeUp: wakeUp.reader)
    let (resting, awake) = (Signalled(), Signalled())
    for source in [resting, awake] {
      poller.add(source)
      source.pipe.write()
    }
    poller.setResting(resting, true)
    #expect(!poller.wait(until: .distantPast))
    #expect((resting.count, awake.count) == (0, 1))
    poller.setResting(resting, false)
    #expect(!poller.wait(until: .distantPast))
    #expect((resting.count, awake.count) == (1, 2))
  }
}
