import CameraClient
import TestSupport
import Testing

@testable import CameraRig

@Suite(.timeLimit(.minutes(1)))
struct MonitorQueueTests {
  private let queue = MonitorQueue(EventMerge(lanes: 1, window: .zero, totalLimit: 16), lanes: 1)

  private func put(_ number: Int64) async {
    let moment = MonotonicInstant(nanoseconds: number)
    await queue.put(
      MonitorEvent(
        node: "n", body: .clockChanged, time: EstimatedTime(moment: moment, error: nil),
        isLate: false), on: 0, arrived: moment)
  }

  @Test func `A node waits while its share is full, and no longer than its task lasts`() async {
    for number in 0..<16 as Range<Int64> { await self.put(number) }
    let put = Recorded<Int>()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await self.put(16)
        put.add(16)
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(put.events.isEmpty)
      _ = queue.take(at: .now)
      await group.next()
      #expect(put.events == [16])
      // The one that has come in last fills the share again.
      group.addTask { await self.put(17) }
      group.cancelAll()
    }
    var count = 0
    while case .event = queue.take(at: .now) { count += 1 }
    #expect(count == 16)
  }

  @Test func `A ring counts for the next wait too, and the end of a task ends a wait`() async {
    let bell = Wakeup()
    bell.ring()
    bell.ring()
    await bell.wait()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await bell.wait() }
      group.cancelAll()
    }
  }
}
