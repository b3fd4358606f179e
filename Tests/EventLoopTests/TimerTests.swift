import EventLoop
import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TimerTests {
  @Test
  func `Timers fire in the order of their deadlines, and equal ones in the order they were made`()
    async
  {
    await withLoop { loop in
      let log = Recorded<String>()
      await loop.run {
        let start = MonotonicTime.now
        for (name, delay) in [("c", 3), ("a", 1), ("d", 4), ("b1", 2), ("b2", 2)] {
          loop.schedule(at: start + .milliseconds(delay)) { log.add(name) }
        }
      }
      #expect(await log.atLeast(5) == ["a", "b1", "b2", "c", "d"])
    }
  }

  @Test func `A timer wakes a sleeping loop, but not before its deadline`() async throws {
    try await withLoop { loop in
      for _ in 0..<20 {
        let deadline = MonotonicTime.now + .microseconds(700)
        try await loop.sleep(until: deadline)
        #expect(MonotonicTime.now >= deadline)
      }
    }
  }

  @Test func `A cancelled timer does not fire`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      await loop.run {
        let start = MonotonicTime.now
        let timers = (0..<50).map { number in
          loop.schedule(at: start + .microseconds(number)) { log.add("\(number)") }
        }
        for timer in timers.dropLast() { timer.cancel() }
      }
      #expect(await log.atLeast(1) == ["49"])
      await loop.finishRound()
      #expect(log.events == ["49"])
    }
  }

  @Test func `A timer that another timer cancels in the same round does not fire`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let second = Box<LoopTimer>()
      await loop.run {
        let now = MonotonicTime.now
        loop.schedule(at: now) {
          log.add("first")
          second.value?.cancel()
        }
        second.value = loop.schedule(at: now) { log.add("second") }
      }
      await log.atLeast(1)
      await loop.finishRound()
      #expect(log.events == ["first"])
    }
  }

  @Test func `Cancelling a timer that has fired does nothing`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let timer = await loop.run { loop.schedule(at: .now) { log.add("fired") } }
      await log.atLeast(1)
      await loop.run {
        timer.cancel()
        loop.schedule(at: .now) { log.add("next") }
      }
      #expect(await log.atLeast(2) == ["fired", "next"])
    }
  }

  @Test func `A timer fires again at each moment that its body names, and then releases the body`()
    async
  {
    await withLoop { loop in
      let log = Recorded<String>()
      let timer = Box<LoopTimer>()
      await loop.run {
        let start = MonotonicTime.now
        let captured = Witness { log.add("let go") }
        timer.value = loop.schedule(at: start) {
          withExtendedLifetime(captured) {}
          log.add("fired")
          switch log.events.count {
          case 1: timer.value?.again(at: start)
          case 2:
            // However late the loop is, the earlier moment comes first.
            loop.schedule(at: start + .milliseconds(1)) { log.add("between") }
            timer.value?.again(at: start + .milliseconds(2))
          default: break
          }
        }
      }
      #expect(await log.atLeast(5) == ["fired", "fired", "between", "fired", "let go"])
    }
  }

  @Test func `A timer that its own body repeats and then cancels does not fire again`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let timer = Box<LoopTimer>()
      await loop.run {
        timer.value = loop.schedule(at: .now) {
          log.add("fired")
          timer.value?.again(at: .now)
          timer.value?.cancel()
        }
      }
      await log.atLeast(1)
      await loop.finishRound()
      #expect(log.events == ["fired"])
    }
  }

  @Test func `A timer fires again as often as its body asks`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let timer = Box<LoopTimer>()
      await loop.run {
        timer.value = loop.schedule(at: .now) {
          log.add("fired")
          if log.events.count < 3 { timer.value?.again(at: .now + .microseconds(100)) }
        }
      }
      #expect(await log.atLeast(3).count == 3)
      await loop.finishRound()
      #expect(log.events.count == 3)
    }
  }

  @Test func `Repeating a timer from outside its body ends the program`() async {
    await #expect(processExitsWith: .failure) {
      await withLoop { loop in
        await loop.run { loop.schedule(at: .now + .seconds(3600)) {}.again(at: .now) }
      }
    }
  }

  @Test func `A repeated timer that another timer cancels does not fire again`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let repeated = Box<LoopTimer>()
      await loop.run {
        let start = MonotonicTime.now
        repeated.value = loop.schedule(at: start) {
          log.add("repeated")
          repeated.value?.again(at: start)
        }
        // Both are due at once, so this timer fires after the repeated one, in the same round.
        loop.schedule(at: start) {
          log.add("cancels")
          repeated.value?.cancel()
        }
      }
      await log.atLeast(2)
      await loop.finishRound()
      #expect(log.events == ["repeated", "cancels"])
    }
  }

  @Test func `A timer that schedules itself in the past lets other work run`() async {
    await withLoop { loop in
      let past = MonotonicTime.now
      await loop.run { Self.repeatForever(loop, at: past) }
      #expect(await loop.run { true })
    }
  }

  private static func repeatForever(_ loop: EventLoop, at past: MonotonicTime) {
    loop.schedule(at: past) { repeatForever(loop, at: past) }
  }
}
