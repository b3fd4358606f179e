package import OperatingSystem

/// The moments at which a camera with a steady rate exposes: the multiples of its interval since
/// the monotonic clock's zero, plus a phase. Two cameras with the same rate on one machine stay
/// apart by the difference of their phases.
package struct Metronome: Hashable, Sendable {
  private let rate: FrameRate
  /// In nanoseconds.
  private let phase: Int64

  package init(rate: FrameRate, phase: Int64) {
    self.rate = rate
    self.phase = phase
  }

  /// The exact moment of a tick, rounded up to a nanosecond. Errors do not add up.
  package func time(of tick: Int64) -> MonotonicTime {
    let elapsed = -Self.floor(-Int128(tick) * second, Int128(rate.numerator))
    return MonotonicTime(nanoseconds: phase + Int64(elapsed))
  }

  /// The last tick that is not after the moment.
  package func tick(notAfter time: MonotonicTime) -> Int64 {
    Int64(Self.floor(Int128(time.nanoseconds - phase) * Int128(rate.numerator), second))
  }

  /// The nanoseconds of as many ticks as the rate's numerator.
  private var second: Int128 { 1_000_000_000 * Int128(rate.denominator) }

  private static func floor(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
