import OperatingSystem
import TestSupport
import Testing

@testable import Capture

@Suite struct SoundClockTests {
  private static let start = MonotonicTime(nanoseconds: 5_000_000_000)

  /// When a sample was recorded by a device that is so many millionths fast.
  private func truth(_ number: Int64, _ drift: Double) -> MonotonicTime {
    Self.start + .nanoseconds(Int64(Double(number) * 1e9 / (48_000 * (1 + drift / 1e6))))
  }

  @Test(arguments: [0.0, 100, -250, 2000])
  func `The time of each sample follows the device's real rate, through noise`(drift: Double) {
    var random = SeededGenerator(for: "The time of each sample")
    var clock = SoundClock(rate: 48_000)
    for index in 1...3000 as ClosedRange<Int64> {
      let noise = Int64.random(in: -600_000...600_000, using: &random)
      clock.take(.init(number: index * 960, time: truth(index * 960, drift) + .nanoseconds(noise)))
      guard index > 200 else { continue }
      let error = clock.time(of: index * 960 - 960) - truth(index * 960 - 960, drift)
      // A fast device is told late at first.
      #expect(abs(error / .milliseconds(1)) < (index < 1000 ? 3 : 0.3), "at \(index), \(random)")
    }
    #expect(abs((clock.drift ?? .infinity) - drift) < 10)
  }

  @Test func `Single stamps that are far off change little, and many begin another line`() {
    var clock = SoundClock(rate: 48_000)
    for index in 1...500 as ClosedRange<Int64> {
      let isWrong = index.isMultiple(of: 100)
      clock.take(
        .init(
          number: index * 960,
          time: truth(index * 960, 0) + .milliseconds(isWrong ? 200 : 0)))
    }
    #expect(abs((clock.time(of: 480_000) - truth(480_000, 0)) / .milliseconds(1)) < 0.2)
    for index in 501...520 as ClosedRange<Int64> {
      clock.take(.init(number: index * 960, time: truth(index * 960, 0) + .milliseconds(200)))
    }
    let late = clock.time(of: 520 * 960) - truth(520 * 960, 0)
    #expect(abs(late / .milliseconds(1) - 200) < 0.1)
    #expect(clock.drift == nil)
  }
}
