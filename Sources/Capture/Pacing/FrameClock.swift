package import OperatingSystem

/// Numbers a stream's frames by the ticks of a metronome. Late frames are left out, never bunched.
package struct FrameClock: Sendable {
  private let metronome: Metronome
  private var nextTick: Int64
  private var nextNumber: UInt64 = 1

  /// The first frame belongs to the first tick after `start`.
  package init(_ metronome: Metronome, start: MonotonicTime) {
    self.metronome = metronome
    nextTick = metronome.tick(notAfter: start) + 1
  }

  /// When the next frame is due.
  package var deadline: MonotonicTime { metronome.time(of: nextTick) }

  /// The number and exact moment of the newest frame that is due. Frames that were due before it
  /// are lost, and keep their numbers.
  package mutating func takeFrame(
    at now: MonotonicTime
  ) -> (number: UInt64, time: MonotonicTime) {
    let tick = max(nextTick, metronome.tick(notAfter: now))
    let number = nextNumber + UInt64(tick - nextTick)
    nextTick = tick + 1
    nextNumber = number + 1
    return (number, metronome.time(of: tick))
  }

  /// Skips all moments up to now; no frame and no number belongs to them.
  package mutating func pause(until now: MonotonicTime) {
    nextTick = max(nextTick, metronome.tick(notAfter: now)) + 1
  }
}
