import OperatingSystem
import TestSupport
import Testing

@testable import Capture

struct FrameThinnerTests {
  /// The times that are kept, in nanoseconds.
  private func kept(_ times: [Int64], _ limit: Double, of rate: FrameRate?) throws -> [Int64] {
    var thinner = try #require(FrameThinner(limit: limit, of: rate))
    return times.filter { thinner.keeps(MonotonicTime(nanoseconds: $0)) }
  }

  private func frames(_ rate: Double, seconds: Int, jitter: Double, seed: String) -> [Int64] {
    var random = SeededGenerator(for: seed)
    let interval = 1e9 / rate
    return (0..<Int(rate * Double(seconds))).map { number in
      Int64((Double(number) + .random(in: -jitter...jitter, using: &random)) * interval) + 1 << 40
    }
  }

  @Test(arguments: [(30, 15), (30, 10), (30, 7.5), (30, 12), (30, 29), (60, 24), (25, 0.5)])
  func `The mean rate is the limit, and frames are evenly spaced`(
    rate: Double, limit: Double
  ) throws {
    let times = frames(rate, seconds: 100, jitter: 0.2, seed: "thinning \(rate) \(limit)")
    let kept = try kept(times, limit, of: FrameRate(framesPerSecond: rate))
    #expect(abs(Double(kept.count) - 100 * limit) <= 2)
    for (before, after) in zip(kept, kept.dropFirst()) {
      // Off the beat by half an interval of the camera, and by its jitter, on both sides.
      #expect(abs(Double(after - before) - 1e9 / limit) <= 1.5e9 / rate)
    }
  }

  @Test func `A camera that has no more frames is not thinned out`() {
    #expect(FrameThinner(limit: 30, of: FrameRate(30)) == nil)
    #expect(FrameThinner(limit: 29.97, of: FrameRate(30_000, over: 1001)) == nil)
    #expect(FrameThinner(limit: 29.97, of: FrameRate(30)) == nil)
    #expect(FrameThinner(limit: 29, of: FrameRate(30)) != nil)
  }

  @Test func `After a gap no burst makes up for it`() throws {
    let second: Int64 = 1_000_000_000
    let times = (0..<30).map { $0 * second / 30 } + (0..<30).map { 10 * second + $0 * second / 30 }
    let kept = try kept(times, 10, of: FrameRate(30))
    #expect(kept.count == 20)
    #expect(kept.filter { $0 >= 10 * second }.first == 10 * second)
  }

  @Test func `A clock that goes back does not hold frames up`() throws {
    let second: Int64 = 1_000_000_000
    #expect(try kept([100 * second, second], 10, of: FrameRate(30)).count == 2)
  }

  @Test func `A camera that does not say its rate is thinned out too`() throws {
    let times = frames(30, seconds: 10, jitter: 0, seed: "unknown")
    #expect(abs(try kept(times, 10, of: nil).count - 100) <= 1)
  }
}
