import EventLoop
import Glibc
import TestSupport
import Testing

private actor Resident {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private var count = 0

  init(_ loop: EventLoop) { self.loop = loop }

  func isOnLoop() -> Bool { loop.isCurrent }
  func increase() -> Int {
    count += 1
    return count
  }

  /// Enters the actor from a callback of the loop and returns the count.
  nonisolated func increaseFromCallback() async -> Int {
    await loop.run { self.assumeIsolated { $0.increaseNow() } }
  }

  /// For callers that are on the loop already.
  nonisolated func increaseHere() { assumeIsolated { _ = $0.increaseNow() } }

  private func increaseNow() -> Int {
    count += 1
    return count
  }
}

private actor Bare: LoopActor {
  nonisolated let loop: EventLoop
  init(_ loop: EventLoop) { self.loop = loop }
  func isOnLoop() -> Bool { loop.isCurrent }
}

@globalActor private actor Global: LoopActor {
  static let shared = Global()
  nonisolated let loop = EventLoop(name: "global")
  func isOnLoop() async -> Bool { loop.isCurrent }
}

@Suite(.timeLimit(.minutes(5)))
struct JobTests {
  @Test func `An actor on a loop runs on its thread`() async {
    await withLoop { loop in
      #expect(await Resident(loop).isOnLoop())
      #expect(!loop.isCurrent)
    }
  }

  @Test func `A callback of the loop enters an actor without a hop`() async {
    await withLoop { loop in
      let resident = Resident(loop)
      #expect(await resident.increase() == 1)
      #expect(await resident.increaseFromCallback() == 2)
      #expect(await resident.increase() == 3)
    }
  }

  @Test func `A loop actor only needs to name its loop`() async {
    await withLoop { loop in
      let actor = Bare(loop)
      #expect(await actor.isOnLoop())
      let log = Recorded<String>()
      actor.enter { log.add("\($0.isOnLoop())") }
      #expect(await log.atLeast(1) == ["true"])
    }
  }

  @Test func `A task begins at once, and calls in it need no hop`() async {
    let (loop, log) = (Global.shared.loop, Recorded<String>())
    await loop.run {
      for number in 1...2 {
        loop.begin("test") { @Global in
          log.add("\(number) \(await Global.shared.isOnLoop())")
        } made: { _ in
          log.add("made \(number)")
        }
      }
      log.add("end")
    }
    #expect(log.events == ["made 1", "1 true", "made 2", "2 true", "end"])
  }

  @Test func `A loop actor on a stopped loop is not entered`() {
    let loop = EventLoop(name: "stopped")
    let log = Recorded<String>()
    loop.stop()
    Bare(loop).enter { _ in log.add("entered") }
    #expect(log.events.isEmpty)
  }

  @Test func `A thread can run work on a loop and wait for it`() async {
    await withLoop { loop in #expect(loop.performAndWait { loop.isCurrent }) }
  }

  @Test func `A loop that would wait for itself ends the program`() async {
    await #expect(processExitsWith: .failure) {
      await withLoop { loop in await loop.run { loop.performAndWait {} } }
    }
  }

  @Test func `Entering an actor from another thread ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let loop = EventLoop(name: "elsewhere")
      Resident(loop).increaseHere()
    }
  }

  @Test func `Bodies run in the order of their arrival`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      for number in 0..<1000 { loop.perform { log.add("\(number)") } }
      #expect(await log.atLeast(1000) == (0..<1000).map(String.init))
    }
  }

  @Test func `A sleeping loop wakes for each of many calls from other threads`() async {
    await withLoop { loop in
      let total = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var count = 0
            for _ in 0..<500 { count += await loop.run { 1 } }
            return count
          }
        }
        return await group.reduce(0, +)
      }
      #expect(total == 2000)
    }
  }

  @Test func `The thread has the loop's name`() async {
    let loop = EventLoop(name: "camera-front-frames")
    defer { loop.stop() }
    let name = await loop.run {
      guard let file = unsafe fopen("/proc/thread-self/comm", "r") else { return "" }
      defer { unsafe fclose(file) }
      var text = [CChar](repeating: 0, count: 32)
      unsafe fgets(&text, 32, file)
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    #expect(name == "camera-front-fr\n")
  }

  @Test func `The thread leaves signals to others, but not its own faults`() async {
    await withLoop { loop in
      let (term, fault) = await loop.run {
        var blocked = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked)
        return unsafe (sigismember(&blocked, SIGTERM), sigismember(&blocked, SIGSEGV))
      }
      #expect(term == 1)
      #expect(fault == 0)
    }
  }

  @Test func `Starting a loop leaves the caller's signals as they are`() async {
    var before = sigset_t()
    var after = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &before)
    let loop = EventLoop(name: "signals")
    unsafe pthread_sigmask(SIG_BLOCK, nil, &after)
    loop.stop()
    #expect(unsafe sigismember(&after, SIGTERM) == sigismember(&before, SIGTERM))
  }
}
