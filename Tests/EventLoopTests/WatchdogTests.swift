import Dispatch
import TestSupport
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(5)))
struct WatchdogTests {
  @Test func `A loop is stuck when enough looks in a row find it at the same place`() {
    var looks = LoopLooks()
    for _ in 1..<LoopLooks.limit { #expect(looks.stuck([4, 7]) == nil) }
    #expect(looks.stuck([5, 7]) == 1)

    looks = LoopLooks()
    for _ in 1..<LoopLooks.limit { #expect(looks.stuck([7]) == nil) }
    #expect(looks.stuck([9]) == nil, "It has turned")
    for _ in 2..<LoopLooks.limit { #expect(looks.stuck([9]) == nil) }
    #expect(looks.stuck([9]) == 0)
  }

  @Test func `A loop that was stopped is not stuck`() {
    var looks = LoopLooks()
    for _ in 0...2 * LoopLooks.limit { #expect(looks.stuck([nil]) == nil) }
  }

  @Test func `The watchdog names the stuck loop and what it does`() async throws {
    let (good, bad) = (EventLoop(name: "good"), EventLoop(name: "bad"))
    let found = Recorded<LoopWatchdog.StuckLoop>()
    let watchdog = try LoopWatchdog([good, bad], interval: .milliseconds(1)) { found.add($0) }
    let release = DispatchSemaphore(value: 0)
    bad.perform { [unowned bad] in
      bad.note(request: "capture")
      release.wait()
    }
    await found.wait { !$0.isEmpty }
    release.signal()
    #expect(
      found.events == [
        .init(name: "bad", activity: "it runs queued work; the last request was capture")
      ])
    watchdog.end()
    for loop in [good, bad] { await Task.detached { loop.stop() }.value }
    #expect(bad.longestTurn > good.longestTurn)
  }

  @Test func `A loop without work is not stuck`() async throws {
    let (idle, bad) = (EventLoop(name: "idle"), EventLoop(name: "bad"))
    let found = Recorded<LoopWatchdog.StuckLoop>()
    // Long, because a busy machine may not let the idle loop's thread run for a while.
    let looking = try LoopWatchdog([idle], interval: .milliseconds(200)) { found.add($0) }
    // When the other watchdog has found its loop, this one has looked as often.
    let release = DispatchSemaphore(value: 0)
    bad.perform { release.wait() }
    let other = try LoopWatchdog([bad], interval: .milliseconds(260)) { found.add($0) }
    await found.wait { !$0.isEmpty }
    release.signal()
    for watchdog in [looking, other] { watchdog.end() }
    #expect(found.events.map(\.name) == ["bad"])
    for loop in [idle, bad] { await Task.detached { loop.stop() }.value }
  }

  @Test func `A watchdog without a stuck loop ends when it is told to`() throws {
    let found = Recorded<LoopWatchdog.StuckLoop>()
    let watchdog = try LoopWatchdog([], interval: .seconds(3600)) { found.add($0) }
    watchdog.end()
    #expect(found.events.isEmpty)
  }
}
