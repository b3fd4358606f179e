@testable import CameraClient
import Testing

@testable import CameraRig

/// The phases of cameras with the same rate.
struct CommonPhaseTests {
  private let phase = CommonPhase(interval: 1000)

  private func at(_ nanoseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds)
  }

  @Test(arguments: [
    (5_000, 2_000, 0), (5_100, 2_000, 100), (4_900, 2_000, -100), (2_000, 5_100, -100),
    (2_600, 2_000, -400),
  ])
  func `A phase is at most half an interval away`(moment: Int64, other: Int64, expected: Int64) {
    #expect(phase.distance(of: at(moment), from: at(other)) == .nanoseconds(expected))
  }

  @Test func `The next frame is not before the start`() {
    #expect(phase.next(of: at(2_300), notBefore: at(7_000)) == at(7_300))
    #expect(phase.next(of: at(9_300), notBefore: at(7_000)) == at(7_300))
    #expect(phase.next(of: at(7_000), notBefore: at(7_000)) == at(7_000))
  }

  @Test func `No moment is nearer to all frames than the best one`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let frames = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        at(.random(in: 0..<100_000, using: &generator))
      }
      let best = try #require(phase.best(for: frames, notBefore: at(200_000)))
      #expect(best >= at(200_000) && best <= at(201_000))
      func farthest(from moment: MonotonicInstant) -> Duration {
        frames.map { frame in
          let distance = phase.distance(of: frame, from: moment)
          return max(distance, .zero - distance)
        }.max() ?? .zero
      }
      let least = (200_000..<201_000).map { farthest(from: at($0)) }.min()
      #expect(farthest(from: best) <= (least ?? .zero) + .nanoseconds(1), "\(frames)")
    }
  }

  @Test(arguments: [
    (Int64.min, Int64.max, 1e3), (.max, .min, 3.6e12), (.min, .min, 1e300), (0, .max, 1e-300),
  ])
  func `Whatever a node says, there is a moment`(moment: Int64, start: Int64, interval: Double) {
    let phase = CommonPhase(interval: interval)
    _ = phase.distance(of: at(moment), from: at(start))
    #expect(phase.next(of: at(moment), notBefore: at(start)) >= at(start))
    #expect(phase.best(for: [at(moment), at(start), at(0)], notBefore: at(start)) != nil)
  }

  @Test(arguments: [(199_865_000, 24, true), (199_865_000, 256, false), (190_000_000, 24, false)])
  func `Intervals are the same if their stamps cannot tell them apart`(
    interval: Double, frames: Int, isSame: Bool
  ) {
    // Of 24 frames that are 2.5 ms late or early, the slope of the line is known within 0.22 ms.
    func pace(_ interval: Double) -> FramePace {
      FramePace(
        newest: Timestamp(monotonic: at(0), wall: WallInstant(nanoseconds: 0)), interval: interval,
        deviation: 2_500_000, frames: frames)
    }
    let reference = pace(200_120_000)
    #expect(CommonPhase(interval: reference.interval).has(pace(interval), of: reference) == isSame)
  }

  @Test func `A camera is waited for five seconds at most`() {
    #expect(AwaitedInterval.of(nil) == nil && AwaitedInterval.of(0) == nil)
    #expect(AwaitedInterval.of(50) == .milliseconds(20))
    #expect(AwaitedInterval.of(1e-30) == .seconds(5) && AwaitedInterval.of(.nan) == nil)
  }
}
