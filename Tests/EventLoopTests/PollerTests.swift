import Glibc
import OperatingSystem
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(5)))
struct PollerTests {
  private final class Signalled: EventSource {
    let pipe = Pipe()
    var count = 0
    var descriptor: Int32 { pipe.reader }

    func hasWork() -> Bool { false }
    func descriptorBecameReadable() { count += 1 }
    func process() {}
  }

  @Test
  func `A removed source is not woken by its descriptor until it is added again`() {
    let wakeUp = Pipe()
    let poller = Poller(wakeUp: wakeUp.reader, TurnClock())
    let (removed, kept) = (Signalled(), Signalled())
    for source in [removed, kept] {
      poller.add(source)
      source.pipe.write()
    }
    poller.remove(removed)
    #expect(!poller.wait(until: .distantPast))
    #expect((removed.count, kept.count) == (0, 1))
    poller.add(removed)
    #expect(!poller.wait(until: .distantPast))
    #expect((removed.count, kept.count) == (1, 2))
  }
}
