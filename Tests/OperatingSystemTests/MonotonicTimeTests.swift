import OperatingSystem
import Testing

struct MonotonicTimeTests {
  @Test func `Moments and durations add up`() {
    let moment = MonotonicTime(nanoseconds: 5_000_000_000)
    #expect(moment + .milliseconds(1500) == MonotonicTime(nanoseconds: 6_500_000_000))
    #expect(moment - .seconds(6) == MonotonicTime(nanoseconds: -1_000_000_000))
    #expect((moment + .nanoseconds(3)) - moment == .nanoseconds(3))
    #expect(moment - (moment + .seconds(1)) == .seconds(-1))
  }

  @Test func `The clock's range ends without an overflow`() {
    let last = MonotonicTime(nanoseconds: .max)
    #expect(last + .seconds(1) == last)
    #expect(MonotonicTime.now + .seconds(Int64.max) == last)
    #expect(MonotonicTime(nanoseconds: .min) - .seconds(1) == MonotonicTime(nanoseconds: .min))
    #expect(last - MonotonicTime(nanoseconds: -1) > .zero)
  }

  @Test func `The clock does not run backwards`() {
    let first = MonotonicTime.now
    #expect(MonotonicTime.now >= first)
  }
}
