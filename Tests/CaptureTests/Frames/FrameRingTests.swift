import OperatingSystem
import Testing

@testable import Capture

struct FrameRingTests {
  private func ring(_ times: [Int64], capacity: Int = 4) throws -> FrameRing {
    var ring = FrameRing(capacity: capacity)
    for time in times { ring.append(try .sample(at: time)) }
    return ring
  }

  @Test func `A full ring removes its oldest frame`() throws {
    let ring = try ring([10, 20, 30, 40, 50, 60])
    #expect(ring.count == 4)
    #expect(ring.oldest?.metadata.timestamp.nanoseconds == 30)
    #expect(ring.newest?.metadata.timestamp.nanoseconds == 60)
    #expect(ring.reach == 30)
  }

  @Test(
    arguments: [
      (5, nil, 30), (30, 30, 40), (35, 30, 40), (59, 50, 60), (60, 60, nil), (99, 60, nil),
    ] as [(Int64, Int64?, Int64?)])
  func `A moment has a frame before it and one after it`(
    moment: Int64, before: Int64?, after: Int64?
  ) throws {
    let ring = try ring([10, 20, 30, 40, 50, 60])
    let found = ring.neighbours(of: MonotonicTime(nanoseconds: moment))
    #expect(found.before?.metadata.timestamp.nanoseconds == before)
    #expect(found.after?.metadata.timestamp.nanoseconds == after)
  }

  @Test(
    arguments: [(5, nil, 10), (20, 10, 25), (26, 25, 40), (41, 40, 60), (70, 60, nil)]
      as [(Int64, Int64?, Int64?)])
  func `The nearest frames are found among times that are not in order`(
    moment: Int64, before: Int64?, after: Int64?
  ) throws {
    let ring = try ring([10, 40, 25, 60], capacity: 8)
    let found = ring.neighbours(of: MonotonicTime(nanoseconds: moment))
    #expect(found.before?.metadata.timestamp.nanoseconds == before)
    #expect(found.after?.metadata.timestamp.nanoseconds == after)
  }

  @Test func `An emptied ring has no frames`() throws {
    var ring = try ring([10, 20, 30])
    ring.removeAll()
    #expect(ring.count == 0 && ring.oldest == nil && ring.newest == nil && ring.reach == 0)
    let removed = ring.removeOldest()
    #expect(!removed)
  }

  @Test func `A frame that was removed from the ring is free again`() throws {
    var ring = FrameRing(capacity: 2)
    weak var first: Frame?
    do {
      let frame = try Frame.sample(at: 1)
      first = frame
      ring.append(frame)
    }
    #expect(first != nil)
    ring.append(try .sample(at: 2))
    ring.append(try .sample(at: 3))
    #expect(first == nil)
  }
}
