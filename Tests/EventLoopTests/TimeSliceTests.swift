import CLinux
import TestSupport
import Testing

@testable import EventLoop

/// Before Linux 6.12 a thread's slice is not told, and cannot be chosen.
@Suite(.enabled(if: CLinux_slice(0) > 0))
struct TimeSliceTests {
  @Test(arguments: [(TimeSlice.ordinary, false), (.short, true)])
  func `A loop's thread has the slices that it was made with`(
    slices: TimeSlice, isShort: Bool
  ) async {
    let loop = EventLoop(name: "test", slices: slices)
    defer { loop.stop() }
    #expect(await (slice(of: loop) == 300_000) == isShort)
  }

  @Test func `A thread that a loop with short slices starts has ordinary ones`() async {
    let loop = EventLoop(name: "test", slices: .short)
    defer { loop.stop() }
    let started = await loop.run { EventLoop(name: "started") }
    defer { started.stop() }
    #expect(await slice(of: started) > 300_000)
  }

  @Test func `Threads are started with short slices by one that keeps its own`() async {
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
