import Testing

@testable import EventLoop

struct WorkQueueTests {
  private var queue = WorkQueue()
  private var batch: [WorkQueue.Item] = []

  @Test mutating func `Only the first item for a sleeping thread wakes it`() {
    let whileAwake = queue.add(.body {})
    #expect(whileAwake == .taken)
    queue.take(into: &batch)
    #expect(batch.count == 1)
    let isAsleep = queue.fallAsleep()
    #expect(isAsleep)
    let answers = [queue.add(.body {}), queue.add(.body {})]
    #expect(answers == [.wake, .taken])
  }

  @Test mutating func `A thread with work left does not fall asleep`() {
    _ = queue.add(.body {})
    let isAsleep = queue.fallAsleep()
    #expect(!isAsleep)
  }

  @Test mutating func `A stop wakes a sleeping thread once and keeps it awake`() {
    _ = queue.fallAsleep()
    let wakes = [queue.stop(), queue.stop()]
    #expect(wakes == [true, false])
    let isAsleep = queue.fallAsleep()
    #expect(!isAsleep)
  }

  @Test mutating func `Items are refused after a stop has run the last one`() {
    let isFinishedOpen = queue.finish()
    #expect(!isFinishedOpen)
    _ = queue.stop()
    let whileStopping = queue.add(.body {})
    #expect(whileStopping == .taken)
    let isFinishedEarly = queue.finish()
    #expect(!isFinishedEarly)
    queue.take(into: &batch)
    let isFinished = queue.finish()
    #expect(isFinished)
    let afterwards = queue.add(.body {})
    #expect(afterwards == .refused)
  }
}
