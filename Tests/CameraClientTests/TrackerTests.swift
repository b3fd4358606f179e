import CameraClient
import CameraProtocol
import SwiftProtobuf
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

struct FrameCountersTests {
  private static func counters(_ count: UInt64) -> FrameCounters {
    FrameCounters(
      .with {
        $0.delivered = 10 * count
        $0.lostByCamera = count
        $0.corrupted = 2 * count
      })
  }

  @Test func `Counters of one start of the node are subtracted`() {
    let counted = Self.counters(5).counted(since: Self.counters(3), isSameStart: true)
    #expect(counted == Self.counters(2))
  }

  @Test(arguments: [1, 5] as [UInt64])
  func `Counters of a new start of the node count from its beginning`(count: UInt64) {
    let counted = Self.counters(count).counted(since: Self.counters(3), isSameStart: false)
    #expect(counted == Self.counters(count))
  }

  @Test func `Counters that go back count nothing`() {
    let counted = Self.counters(1).counted(since: Self.counters(3), isSameStart: true)
    #expect(counted == Self.counters(0))
  }
}

struct DownloadWindowTests {
  @Test func `Consecutive chunks fill the window`() throws {
    var window = DownloadWindow(total: 5)
    try window.take(offset: 0, count: 3, total: 5)
    #expect(!window.isComplete)
    try window.take(offset: 3, count: 2, total: 5)
    #expect(window.isComplete)
  }

  @Test func `Kept chunks earn credit for several at once, and a chunk without credit is refused`()
    async throws
  {
    var window = DownloadWindow(total: 100)
    for offset in 0..<DownloadWindow.credit {
      try window.take(offset: UInt64(offset), count: 1, total: 100)
    }
    func excess() async -> CameraBusError? {
      var window = window
      return await failure { () throws(CameraBusError) in
        try window.take(offset: window.offset, count: 1, total: 100)
      }
    }
    for _ in 1..<DownloadWindow.grant { #expect(window.keep() == nil) }
    #expect(await excess()?.code == .protocolViolation)
    #expect(window.keep() == DownloadWindow.grant)
    #expect(await excess() == nil)
    window.beginRequest()
    for offset in 0..<DownloadWindow.credit {
      try window.take(offset: UInt64(DownloadWindow.credit + offset), count: 1, total: 100)
    }
    #expect(await excess()?.code == .protocolViolation)
  }

  @Test func `An empty asset is complete at once`() {
    #expect(DownloadWindow(total: 0).isComplete)
  }

  @Test(
    arguments: [(2, 1, 5), (4, 1, 5), (3, 3, 5), (3, 0, 5), (3, 1, 6)] as [(UInt64, Int, UInt64)])
  func `A chunk out of order breaks the protocol`(
    offset: UInt64, count: Int, total: UInt64
  ) async throws {
    var window = DownloadWindow(total: 5)
    try window.take(offset: 0, count: 3, total: 5)
    let error = await failure { () throws(CameraBusError) in
      try window.take(offset: offset, count: count, total: total)
    }
    #expect(error?.code == .protocolViolation)
    #expect(window.offset == 3)
  }
}

struct ReadinessMachineTests {
  private let id = RequestID.random()
  private var machine = ReadinessMachine()

  @Test mutating func `Readiness is unknown before the node's first event`() {
    #expect(machine.readiness == nil)
    machine.sent(id)
    #expect(machine.readiness == nil)
  }

  @Test
  mutating func `A request that the node has not answered makes the camera momentarily not ready`()
  {
    machine.published(.ready)
    #expect(machine.readiness == .ready)
    machine.sent(id)
    #expect(machine.readiness == .notReadyMomentarily)
    machine.answered(id)
    #expect(machine.readiness == .ready)
  }

  @Test mutating func `The node's reason counts before this program's own requests`() {
    machine.published(.notReadyWaitingForProcessing)
    machine.sent(id)
    #expect(machine.readiness == .notReadyWaitingForProcessing)
  }

  @Test mutating func `Readiness is unknown while the node is silent`() {
    machine.published(.ready)
    machine.published(nil)
    #expect(machine.readiness == nil)
  }
}
