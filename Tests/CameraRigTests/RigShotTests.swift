import CameraClient
import TestSupport
import Testing

@testable import CameraRig

struct RigShotTests {
  private typealias Start = (earliest: MonotonicInstant, latest: MonotonicInstant)

  private func start(_ earliest: Int64, _ latest: Int64) -> Start {
    (MonotonicInstant(nanoseconds: earliest), MonotonicInstant(nanoseconds: latest))
  }

  @Test func `The skew of known moments is known, and that of one is none`() {
    #expect(
      RigShot.skew([start(5, 5), start(12, 12), start(7, 7)])
        == RigShot.Bounds(least: .nanoseconds(7), most: .nanoseconds(7)))
    #expect(RigShot.skew([start(5, 50)]) == nil && RigShot.skew([]) == nil)
    // One camera's own bounds are no distance of two.
    #expect(
      RigShot.skew([start(0, 100), start(40, 50)])
        == RigShot.Bounds(least: .zero, most: .nanoseconds(60)))
  }

  /// Against all ways in which the moments may lie within their bounds.
  @Test func `The bounds of the skew are exactly what the moments' bounds allow`() {
    var random = SeededGenerator(seed: .random(in: 0...UInt64.max))
    for _ in 0..<2000 {
      let starts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
        let earliest = Int64.random(in: 0...4, using: &random)
        return (earliest, earliest + Int64.random(in: 0...3, using: &random))
      }
      var spreads: [Int64] = []
      func place(_ index: Int, _ moments: [Int64]) {
        guard index < starts.count else {
          spreads.append((moments.max() ?? 0) - (moments.min() ?? 0))
          return
        }
        for moment in starts[index].0...starts[index].1 { place(index + 1, moments + [moment]) }
      }
      place(0, [])
      let skew = RigShot.skew(starts.map { start($0.0, $0.1) })
      #expect(skew?.least == .nanoseconds(spreads.min() ?? -1), "\(starts), seed \(random)")
      #expect(skew?.most == .nanoseconds(spreads.max() ?? -1), "\(starts), seed \(random)")
    }
  }

  @Test(arguments: [
    (RigPolicy.all, 2, false), (.all, 3, true), (.atLeast(2), 1, false), (.atLeast(2), 2, true),
    (.any, 0, false), (.any, 1, true),
  ])
  func `A policy says how many have to be ready`(policy: RigPolicy, ready: Int, isAllowed: Bool) {
    #expect(policy.allows(ready, of: 3) == isAllowed)
    #expect(!policy.allows(0, of: 0))
  }

  @Test func `A shot shows the present where all cameras keep it until their nodes know of it`() {
    func moment(_ cameras: [(reach: Int64?, interval: Int64)], _ time: RigTime = .soon) -> Int64 {
      time.moment(
        at: MonotonicInstant(nanoseconds: 1000), knownAfter: .nanoseconds(50),
        of: cameras.map {
          ReadyCamera(reach: $0.reach.map { .nanoseconds($0) }, interval: .nanoseconds($0.interval))
        }
      ).nanoseconds
    }
    #expect(moment([(80, 10), (900, 30)]) == 1000)
    // One has lost the frames of now when it hears of them, or has none yet.
    #expect(moment([(79, 10), (900, 30)]) == 1080)
    #expect(moment([(900, 10), (nil, 20)]) == 1070)
    #expect(moment([(nil, 20)], .at(MonotonicInstant(nanoseconds: 7))) == 7)
  }

  /// When each camera took a frame, and the moment of a shot at 10,000 of cameras that take one
  /// every 1000, and keep 5000 or nothing.
  @Test(arguments: [
    ([9_300, 2_500], 5000, 9_400), ([9_300, 9_300], 5000, 9_300), ([9_100, 2_900], 5000, 9_000),
    ([7_000, 8_200, 9_400], 5000, 9_200), ([9_300, 2_500], 0, 11_400),
  ])
  func `A shot is nearest to the frames of all cameras`(
    frames: [Int64], reach: Int64, expected: Int64
  ) {
    let moment = RigTime.soon.moment(
      at: MonotonicInstant(nanoseconds: 10_000), knownAfter: .nanoseconds(50),
      of: frames.map {
        ReadyCamera(
          frame: MonotonicInstant(nanoseconds: $0), reach: .nanoseconds(reach),
          interval: .nanoseconds(1000))
      })
    #expect(moment.nanoseconds == expected)
  }
}
