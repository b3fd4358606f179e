import OperatingSystem
import Testing

@testable import Capture

/// The time contract, on a ring with frames every 100 ns from 1000 to 1400.
struct PhotoTargetTests {
  private static let interval: Int64 = 100

  enum Outcome: Equatable {
    case frame(Int64)
    case wait
    case tooOld
  }

  private func outcome(
    _ timing: PhotoTiming, asked: Int64, frames: [Int64] = [1000, 1100, 1200, 1300, 1400],
    lead: Int64 = 0
  ) throws -> Outcome {
    var ring = FrameRing(capacity: 8)
    for time in frames { ring.append(try .sample(at: time, exposedFrom: time - lead)) }
    let target = PhotoTarget(
      timing, asked: MonotonicTime(nanoseconds: asked), newest: ring.newest)
    switch target.decide(ring, interval: Self.interval) {
    case .take(let frame): return .frame(frame.metadata.timestamp.nanoseconds)
    case .wait: return .wait
    case .tooOld: return .tooOld
    }
  }

  @Test(
    arguments: [
      (1400, .frame(1400)), (1420, .frame(1400)), (1450, .frame(1400)),
      // The next frame is due at 1500 and will be nearer.
      (1451, .wait), (1499, .wait),
      (1349, .frame(1300)), (1351, .frame(1400)),
    ] as [(Int64, Outcome)])
  func `A photo of now takes the frame nearest the request`(asked: Int64, expected: Outcome) throws
  {
    #expect(try outcome(.now, asked: asked) == expected)
  }

  @Test(
    arguments: [
      (1000, .frame(1000)), (1049, .frame(1000)), (1051, .frame(1100)), (951, .frame(1000)),
      (949, .tooOld), (0, .tooOld), (5000, .wait),
    ] as [(Int64, Outcome)])
  func `A photo of a moment takes the nearest frame, past or future`(
    moment: Int64, expected: Outcome
  ) throws {
    #expect(
      try outcome(.at(MonotonicTime(nanoseconds: moment)), asked: 1420) == expected)
  }

  @Test func `The next frame is one exposed after the request`() throws {
    #expect(try outcome(.next, asked: 1410) == .wait)
    #expect(try outcome(.next, asked: 1390) == .frame(1400))
    #expect(try outcome(.next, asked: 1400) == .frame(1400))
  }

  @Test func `The next frame is never one that may have been exposed before the request`() throws {
    // The frames may have begun 150 before their timestamps.
    #expect(try outcome(.next, asked: 1250, lead: 150) == .frame(1400))
    #expect(try outcome(.next, asked: 1251, lead: 150) == .wait)
    #expect(try outcome(.next, asked: 1390, frames: [1400, 1500], lead: 150) == .wait)
    #expect(try outcome(.next, asked: 1390, frames: [1400, 1500, 1600], lead: 150) == .frame(1600))
  }

  @Test func `A limit of age counts from the earliest start of the exposure`() throws {
    #expect(try outcome(.noOlderThan(.nanoseconds(190)), asked: 1440, lead: 150) == .frame(1400))
    #expect(try outcome(.noOlderThan(.nanoseconds(189)), asked: 1440, lead: 150) == .wait)
  }

  @Test func `A limit of age takes the newest frame, or waits for the next`() throws {
    #expect(try outcome(.noOlderThan(.nanoseconds(50)), asked: 1440) == .frame(1400))
    #expect(try outcome(.noOlderThan(.nanoseconds(50)), asked: 1460) == .wait)
    #expect(try outcome(.noOlderThan(.nanoseconds(0)), asked: 1400) == .frame(1400))
  }

  @Test func `With an empty ring every request waits`() throws {
    #expect(try outcome(.now, asked: 1000, frames: []) == .wait)
    #expect(try outcome(.noOlderThan(.nanoseconds(100)), asked: 1000, frames: []) == .wait)
  }
}
