import Capture
import OperatingSystem
import Testing

struct ClockTests {
  @Test(
    arguments: [
      (30, 1), (30_000, 1001), (7, 1), (240, 1), (12_500, 1000),
    ] as [(UInt32, UInt32)],
    [0, 2_000_000, -1] as [Int64]
  )
  func `Ticks are multiples of the interval and do not drift`(
    rate: (UInt32, UInt32),
    phase: Int64
  ) throws {
    let metronome = Metronome(rate: try #require(FrameRate(rate.0, over: rate.1)), phase: phase)
    let zero = metronome.time(of: 0).nanoseconds
    #expect(zero == phase)
    // As many ticks as the numerator take exactly as many seconds as the denominator.
    let weeks = Int64(rate.0) * 1_000_000
    #expect(metronome.time(of: weeks).nanoseconds == phase + Int64(rate.1) * 1_000_000_000_000_000)
    for tick in [1, 2, 3, 1_000_003, weeks + 7] as [Int64] {
      let time = metronome.time(of: tick)
      #expect(metronome.tick(notAfter: time) == tick)
      #expect(metronome.tick(notAfter: time - .nanoseconds(1)) == tick - 1)
    }
  }

  private func clock() throws -> FrameClock {
    // Ticks at 0, 10, 20 … ms.
    let rate = try #require(FrameRate(100))
    return FrameClock(Metronome(rate: rate, phase: 0), start: milliseconds(105))
  }

  private func milliseconds(_ count: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: count * 1_000_000)
  }

  @Test func `Frames are numbered from 1 and stamped with their tick, however late the thread is`()
    throws
  {
    var clock = try clock()
    #expect(clock.deadline == milliseconds(110))
    #expect(clock.takeFrame(at: milliseconds(111)) == (1, milliseconds(110)))
    #expect(clock.takeFrame(at: milliseconds(129)) == (2, milliseconds(120)))
    #expect(clock.takeFrame(at: milliseconds(130)) == (3, milliseconds(130)))
  }

  @Test func `Missed ticks leave a gap, and frames are not bunched`() throws {
    var clock = try clock()
    _ = clock.takeFrame(at: milliseconds(110))
    #expect(clock.takeFrame(at: milliseconds(165)) == (6, milliseconds(160)))
    #expect(clock.deadline == milliseconds(170))
  }

  @Test func `A pause takes time but no numbers`() throws {
    var clock = try clock()
    _ = clock.takeFrame(at: milliseconds(110))
    clock.pause(until: milliseconds(155))
    #expect(clock.deadline == milliseconds(160))
    #expect(clock.takeFrame(at: milliseconds(160)) == (2, milliseconds(160)))
  }
}
