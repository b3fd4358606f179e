import EventLoop
import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SuspensionTests {
  @Test func `A wait for a descriptor ends when it is ready`() async throws {
    try await withLoop { loop in
      let pipe = Pipe()
      async let ready: Void = loop.ready(pipe.reader, for: .readable)
      await loop.finishRound()
      pipe.write()
      try await ready
    }
  }

  @Test func `A wait that begins on the loop resumes there`() async throws {
    try await withLoop { loop in
      let pipe = Pipe()
      pipe.write()
      let isOnLoop = try await Waiter(loop).waitAndReport(pipe)
      #expect(isOnLoop)
    }
  }

  @Test func `A cancelled wait ends and cleans up`() async {
    await withLoop { loop in
      let log = Recorded<String>()
      let task = Task { try await loop.suspend(logging: log) }
      await log.atLeast(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(log.events == ["began", "ended"])
    }
  }

  @Test func `A wait ends only once`() async throws {
    try await withLoop { loop in
      let log = Recorded<String>()
      try await loop.suspend { suspension in
        loop.perform {
          suspension.resume()
          suspension.resume()
        }
        return { log.add("ended") }
      }
      #expect(log.events == ["ended"])
    }
  }

  @Test func `A cancelled wait for a descriptor ends`() async {
    await withLoop { loop in
      let pipe = Pipe()
      let task = Task { try await loop.ready(pipe.reader, for: .readable) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `A wait in a cancelled task does not begin`() async {
    await withLoop { loop in
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await loop.sleep(until: .now + .seconds(3600))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `A cancelled sleep ends at once`() async {
    await withLoop { loop in
      let task = Task { try await loop.sleep(until: .now + .seconds(3600)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `The loop's stop ends a wait on the loop, which resumes on the loop's thread`() async {
    let loop = EventLoop(name: "stop")
    let log = Recorded<String>()
    let task = Task { try await Waiter(loop).waitForNothing(logging: log) }
    await log.atLeast(1)
    // An actor that resumed on another thread would come too late.
    loop.stop()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `The loop's stop ends all waits`() async {
    let loop = EventLoop(name: "stop")
    let log = Recorded<String>()
    let tasks = (0..<3).map { _ in Task { try await loop.suspend(logging: log) } }
    await log.atLeast(3)
    loop.stop()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(log.events.suffix(3) == ["ended", "ended", "ended"])
  }
}

extension EventLoop {
  /// A wait that never ends by itself. It records its beginning and its end.
  fileprivate func suspend(logging log: Recorded<String>) async throws {
    try await suspend { _ in
      log.add("began")
      return { log.add("ended") }
    }
  }
}

private actor Waiter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  init(_ loop: EventLoop) { self.loop = loop }

  func waitForNothing(logging log: Recorded<String>) async throws {
    try await loop.suspend(logging: log)
  }

  func waitAndReport(_ pipe: Pipe) async throws -> Bool {
    try await loop.ready(pipe.reader, for: .readable)
    return loop.isCurrent
  }
}
