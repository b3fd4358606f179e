import EventLoop
import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StopTests {
  @Test func `A stop runs the queued work and the work that it queues in turn`() {
    let loop = EventLoop(name: "stop")
    let log = Recorded<String>()
    for number in 0..<100 {
      loop.perform {
        log.add("outer \(number)")
        loop.perform { log.add("inner \(number)") }
      }
    }
    loop.stop()
    let expected = (0..<100).map { "outer \($0)" } + (0..<100).map { "inner \($0)" }
    #expect(Set(log.events) == Set(expected))
    #expect(log.events.count == expected.count)
  }

  @Test func `A job after the stop ends the program and names the loop`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let loop = EventLoop(name: "late-work")
        loop.stop()
        loop.perform {}
      }
    )
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("'late-work'"))
  }

  @Test func `An actor's job after the stop ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let loop = EventLoop(name: "late-actor")
      loop.stop()
      await LateActor(loop).work()
    }
  }

  @Test func `A loop that waits for its own end ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let loop = EventLoop(name: "own-end")
      await loop.run { loop.stop() }
    }
  }

  @Test func `A job that may come too late is refused without ending the program`() {
    let loop = EventLoop(name: "quiet")
    #expect(loop.performUnlessStopped {})
    loop.stop()
    #expect(!loop.performUnlessStopped {})
  }

  @Test func `Several threads can stop a loop, and each returns after its end`() async {
    let loop = EventLoop(name: "many")
    let log = Recorded<String>()
    loop.perform { log.add("ran") }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          loop.stop()
          #expect(log.events == ["ran"])
        }
      }
    }
    loop.stop()
  }

  @Test func `A stopped loop releases its watches, its timers and itself`() async {
    let log = Recorded<String>()
    weak var ended: EventLoop?
    do {
      let loop = EventLoop(name: "leak")
      ended = loop
      let pipe = Pipe()
      let watched = Witness { log.add("watch") }
      let timed = Witness { log.add("timer") }
      await loop.run {
        _ = loop.watch(pipe.reader, for: .readable) { _ = watched }
        loop.schedule(at: .now + .seconds(3600)) { _ = timed }
      }
      loop.stop()
    }
    #expect(ended == nil)
    #expect(Set(log.events) == ["watch", "timer"])
  }

  @Test func `A loop without references runs until it is stopped`() async {
    weak var forgotten: EventLoop?
    do {
      let loop = EventLoop(name: "forgotten")
      forgotten = loop
    }
    let loop = forgotten
    #expect(loop != nil)
    loop?.stop()
  }

  @Test func `Calls that need the loop's thread end the program on another thread`() async {
    await #expect(processExitsWith: .failure) {
      EventLoop(name: "watch").watch(0, for: .readable) {}.cancel()
    }
    await #expect(processExitsWith: .failure) {
      EventLoop(name: "timer").schedule(at: .now) {}
    }
  }
}

private actor LateActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  init(_ loop: EventLoop) { self.loop = loop }
  func work() {}
}
