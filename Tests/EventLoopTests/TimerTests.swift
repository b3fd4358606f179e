import EventLoop
import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimerTests {
  @Test func `Timers fire by deadline, and equal ones in the order they were made`() async {
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

  @Test func `A timer wakes a sleeping loop, and never before its moment`() async throws {
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

  @Test func `A timer that another one cancels in the same round does not fire`() async {
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

  @Test func `A timer is called again at every moment that its body names, and then lets go of it`()
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
          let count = log.events.filter { $0 == "fired" }.count
          log.add("fired")
          if count < 2 { timer.value?.again(at: start + .milliseconds(count)) }
        }
        loop.schedule(at: start + .microseconds(500)) { log.add("between") }
      }
      #expect(await log.atLeast(5) == ["fired", "fired", "between", "fired", "let go"])
    }
  }

  @Test func `A timer that is to be called again can be cancelled`() async {
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

  @Test func `A timer that asks for it in its body fires again, as often as it asks`() async {
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

  @Test func `A timer asked from outside its body to fire again ends the program`() async {
    await #expect(processExitsWith: .failure) {
      await withLoop { loop in
        await loop.run { loop.schedule(at: .now + .seconds(3600)) {}.again(at: .now) }
      }
    }
  }

  @Test func `A timer cancelled after it asked to fire again does not`() async {
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

  @Test func `A timer that schedules itself in the past leaves others their turn`() async {
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
