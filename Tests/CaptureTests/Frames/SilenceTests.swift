import OperatingSystem
import Testing

@testable import Capture

/// When a silent camera counts as stalled. The limit is 2000 ns, so a look is due every 500 ns.
struct SilenceTests {
  private var silence = Silence(limit: .nanoseconds(2000), begin: .distantPast)

  /// Looks so late.
  private mutating func look(late lateness: Int64 = 0) -> Duration? {
    silence.look(at: MonotonicTime(nanoseconds: silence.nextLook.nanoseconds + lateness))
  }

  @Test mutating func `A silence counts from the last frame`() {
    silence.interrupt(at: MonotonicTime(nanoseconds: 400))
    for _ in 0..<4 { #expect(look() == nil) }
    #expect(silence.nextLook.nanoseconds == 2400)
    #expect(look() == .nanoseconds(2000))
  }

  @Test(arguments: [1000, 2500, 30_000])
  mutating func `A camera has its whole time again after the node stood still`(nanoseconds: Int64) {
    for _ in 0..<3 { #expect(look() == nil) }
    #expect(look(late: nanoseconds) == nil, "It was the node that was silent")
    for _ in 0..<3 { #expect(look() == nil) }
    #expect(look() == .nanoseconds(2000))
  }

  @Test mutating func `Another limit counts from the last frame, too`() {
    silence.interrupt(at: MonotonicTime(nanoseconds: 100))
    silence.set(limit: .nanoseconds(8000), at: MonotonicTime(nanoseconds: 200))
    #expect(silence.nextLook.nanoseconds == 2200)
    for _ in 0..<3 { #expect(look() == nil) }
    #expect(look() == .nanoseconds(8000))
    silence.set(limit: .nanoseconds(1000), at: silence.nextLook)
    #expect(look() != nil)
  }

  @Test mutating func `Looks that come a little late count`() {
    for _ in 0..<2 { #expect(look(late: 200) == nil) }
    #expect(look(late: 200) == .nanoseconds(2100))
  }

  @Test mutating func `A frame that was taken before the node stood still changes nothing`() {
    #expect(look(late: 9000) == nil)
    silence.interrupt(at: MonotonicTime(nanoseconds: 300))
    for _ in 0..<3 { #expect(look() == nil) }
    #expect(look() == .nanoseconds(2000))
  }
}
