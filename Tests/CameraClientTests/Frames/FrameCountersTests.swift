import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing

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
