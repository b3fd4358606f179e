import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MutexTests {
  @Test func `No change is lost between threads that contend`() async {
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<20_000 { counter.value.withLock { $0 += 1 } } }
      }
    }
    #expect(counter.value.withLock { $0 } == 80_000)
  }

  @Test func `A body that throws leaves the value unlocked`() {
    struct Failure: Error {}
    let mutex = Mutex(1)
    #expect(throws: Failure.self) { try mutex.withLock { _ throws(Failure) in throw Failure() } }
    #expect(mutex.withLock { $0 } == 1)
  }

  @Test func `The value is released with the mutex`() {
    let log = Recorded<String>()
    do {
      let mutex = Mutex(Witness { log.add("ended") })
      mutex.withLock { _ in }
    }
    #expect(log.events == ["ended"])
  }
}

private final class Counter: Sendable {
  let value = Mutex(0)
}
