import CameraClient
import CameraProtocol
import Testing

struct LossTrackerTests {
  private let epoch = Epoch.random()
  private var tracker = LossTracker()

  @Test mutating func `Frames with consecutive numbers lose nothing`() {
    receive((10, 100), (11, 101), (12, 102))
    #expect(tracker.counters == LossCounters())
  }

  @Test mutating func `A gap in the topic's numbers is a loss on the bus`() {
    receive((10, 100), (13, 103))
    #expect(tracker.counters.lostOnBus == 2)
    #expect(tracker.counters.notPublished == 0)
  }

  @Test mutating func `A gap in the camera's numbers alone is a frame that was not published`() {
    receive((10, 100), (11, 104), (13, 108))
    #expect(tracker.counters.notPublished == 5)
    #expect(tracker.counters.lostOnBus == 1)
  }

  @Test mutating func `A heartbeat shows lost frames at the end, once`() {
    receive((10, 100))
    tracker.heartbeat(12, of: epoch)
    #expect(tracker.counters.lostOnBus == 2)
    tracker.heartbeat(12, of: epoch)
    receive((13, 103))
    #expect(tracker.counters.lostOnBus == 2)
    #expect(tracker.counters.notPublished == 0)
  }

  @Test mutating func `A restart of the camera or the node is no loss`() {
    receive((10, 100), (11, 1), (12, 2))
    tracker.received(1, of: Epoch.random(), frame: 40)
    #expect(tracker.counters.total == 0)
  }

  @Test mutating func `Frames that the policy drops count as dropped by the client`() {
    tracker.dropped()
    #expect(tracker.counters.droppedByClient == 1)
    #expect(tracker.counters.total == 1)
  }

  @Test mutating func `Losses beyond the largest number stay at it`() {
    receive((1, 1), (2, .max), (3, 1), (4, .max))
    #expect(tracker.counters.notPublished == .max)
    tracker = LossTracker()
    receive((1, 1), (.max, 2))
    let restart = Epoch.random()
    tracker.received(1, of: restart, frame: 3)
    tracker.heartbeat(.max, of: restart)
    #expect(tracker.counters.lostOnBus == .max)
  }

  private mutating func receive(_ frames: (sequence: UInt64, frame: UInt64)...) {
    for frame in frames { tracker.received(frame.sequence, of: epoch, frame: frame.frame) }
  }
}
