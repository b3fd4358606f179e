import OperatingSystem
import Testing

@testable import CaptureSynthetic

struct CameraClockTests {
  private func milliseconds(_ count: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: count * 1_000_000)
  }

  @Test func `A wrong clock is ahead by its offset and gains by its drift`() {
    let clock = CameraClock(offset: -500, drift: 100)
    let start = milliseconds(1000)
    #expect(clock.reading(at: start, since: start) == start - .nanoseconds(500))
    #expect(
      clock.reading(at: milliseconds(11_000), since: start)
        == milliseconds(11_001) - .nanoseconds(500)
    )
  }
}
