import CLinux
import TestSupport
import Testing

@testable import EventLoop

/// Before Linux 6.12 a thread's time slice can be neither read nor set.
@Suite(.enabled(if: CLinux_slice(0) > 0))
struct TimeSliceTests {
  @Test(arguments: [(TimeSlice.ordinary, false), (.short, true)])
  func `A loop's thread has the time slices that the loop was made with`(
    slices: TimeSlice, isShort: Bool
  ) async {
    let loop = EventLoop(name: "test", slices: slices)
    defer { loop.stop() }
    #expect(await (slice(of: loop) == 300_000) == isShort)
  }

  @Test func `A thread that a loop with short slices starts has ordinary slices`() async {
    let loop = EventLoop(name: "test", slices: .short)
    defer { loop.stop() }
    let started = await loop.run { EventLoop(name: "started") }
    defer { started.stop() }
    #expect(await slice(of: started) > 300_000)
  }

  @Test func `A thread can start threads with short slices and keep its own`() async {
    await withLoop { loop in
      let before = await slice(of: loop)
      let started = await loop.run {
        TimeSlice.shortForThreadsStarted { EventLoop(name: "started") }
      }
      defer { started.stop() }
      #expect(await slice(of: started) == 300_000)
      #expect(await slice(of: loop) == before)
    }
  }

  private func slice(of loop: EventLoop) async -> UInt64 { await loop.run { CLinux_slice(0) } }
}
