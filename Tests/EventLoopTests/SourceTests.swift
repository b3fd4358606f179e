import EventLoop
import Glibc
import OperatingSystem
import TestSupport
import Testing

/// A source like a socket, whose descriptor only signals that something has changed.
private final class FakeSource: EventSource, Sendable {
  private struct State {
    var work = 0
    var asked = 0
  }

  private let pipe = Pipe()
  private let state = Mutex(State())
  private let onProcess: @Sendable (FakeSource) -> Void

  init(_ onProcess: @escaping @Sendable (FakeSource) -> Void) { self.onProcess = onProcess }

  var descriptor: Int32 { pipe.reader }
  var timesAsked: Int { state.withLock { $0.asked } }

  func hasWork() -> Bool {
    pipe.read()
    return state.withLock {
      $0.asked += 1
      return $0.work > 0
    }
  }

  func process() {
    state.withLock { $0.work -= 1 }
    onProcess(self)
  }

  /// Adds work with a signal, or without one as after a send.
  func give(_ work: Int, signals: Bool = true) {
    state.withLock { $0.work += work }
    if signals { pipe.write() }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct SourceTests {
  @Test func `A source whose descriptor signals is processed until no work is left`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let source = FakeSource { _ in log.add("processed") }
      await loop.run { loop.add(source) }
      await loop.finishRound()
      source.give(3)
      #expect(await log.atLeast(3).count == 3)
      await loop.finishRound()
      #expect(log.events.count == 3)
    }
  }

  @Test func `Slow work lets the loop look at its descriptors in between`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let pipe = Pipe()
      let source = FakeSource { _ in
        if log.events.isEmpty { pipe.write() }
        usleep(10_000)
        log.add("slow")
      }
      let watch = await loop.run {
        loop.add(source)
        return loop.watch(pipe.reader, for: .readable) {
          pipe.read()
          log.add("ready")
        }
      }
      source.give(4)
      #expect(await log.atLeast(5).last == "slow")
      await loop.run { watch.cancel() }
    }
  }

  @Test func `Work without a signal is found before the next sleep`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let source = FakeSource { _ in log.add("processed") }
      await loop.run { loop.add(source) }
      await loop.run { source.give(1, signals: false) }
      #expect(await log.atLeast(1) == ["processed"])
    }
  }

  @Test func `A source with endless work lets other work run`() async throws {
    try await withLoop { loop in
      let endless = FakeSource { $0.give(1, signals: false) }
      await loop.run {
        loop.add(endless)
        endless.give(1)
      }
      let pipe = Pipe()
      pipe.write()
      try await loop.ready(pipe.reader, for: .readable)
      try await loop.sleep(until: .now + .milliseconds(1))
      #expect(await loop.run { true })
    }
  }

  @Test
  func `A source that removes itself is not called again, and the next source is`()
    async
  {
    await withLoop { loop in
      let log = Recorded<String>()
      let first = FakeSource { source in
        log.add("first")
        loop.remove(source)
      }
      let second = FakeSource { _ in log.add("second") }
      await loop.run {
        for source in [first, second] {
          loop.add(source)
          source.give(1, signals: false)
        }
        first.give(1, signals: false)
      }
      #expect(await log.atLeast(2) == ["first", "second"])
      let asked = first.timesAsked
      await loop.finishRound()
      #expect(first.timesAsked == asked)
      #expect(log.events.count == 2)
    }
  }
}
