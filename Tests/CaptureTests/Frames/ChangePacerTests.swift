import EventLoop
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(5)))
struct ChangePacerTests {
  private static let interval = Duration.milliseconds(50)

  /// A value that changes, and its values that were reported.
  private final class Source: Sendable {
    let value = Mutex(0)
    let told = Recorded<Int>()
    /// Kept as long as this object.
    let pacer = Mutex<ChangePacer?>(nil)
  }

  @Test
  func `A control that changes all the time is reported at intervals, and its last value always`()
    async
  {
    let loop = EventLoop(name: "test")
    let source = Source()
    let (busy, quiet): (ControlID, ControlID) = ("busy", "quiet")
    let others = Recorded<ControlID>()
    let began = MonotonicTime.now
    loop.perform {
      let pacer = ChangePacer(loop: loop, interval: Self.interval) { control in
        control == busy ? source.told.add(source.value.withLock { $0 }) : others.add(control)
      }
      source.pacer.withLock { $0 = pacer }
      Self.change(1000, source, pacer, busy, on: loop)
      pacer.changed(quiet)
    }
    await source.told.wait { $0.last == 1000 }
    let elapsed = MonotonicTime.now - began
    #expect(source.told.events.first == 1, "the first change is reported at once")
    #expect(source.told.events.count <= Int(elapsed / Self.interval) + 2)
    #expect(others.events == [quiet], "no control waits for another")
    loop.stop()
    source.pacer.withLock { $0 = nil }
  }

  /// Changes the value `count` times, each time in another turn of the loop.
  private static func change(
    _ count: Int, _ source: Source, _ pacer: ChangePacer, _ control: ControlID, on loop: EventLoop
  ) {
    guard count > 0 else { return }
    source.value.withLock { $0 += 1 }
    pacer.changed(control)
    loop.perform { change(count - 1, source, pacer, control, on: loop) }
  }

  @Test func `A cancelled pacer reports nothing more`() async {
    let loop = EventLoop(name: "test")
    let told = Recorded<Int>()
    let control: ControlID = "gain"
    loop.perform {
      let pacer = ChangePacer(loop: loop, interval: Self.interval) { _ in told.add(1) }
      pacer.changed(control)
      pacer.changed(control)
      pacer.cancel()
      loop.schedule(at: .now + Self.interval * 3) {
        withExtendedLifetime(pacer) { told.add(2) }
      }
    }
    await told.wait { $0.contains(2) }
    #expect(told.events == [1, 2])
    loop.stop()
  }
}
