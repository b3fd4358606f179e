package import OperatingSystem

/// Numbers a stream's frames by the metronome's ticks: late frames are left out, never bunched.
package struct FrameClock: Sendable {
  private let metronome: Metronome
  private var nextTick: Int64
  private var nextNumber: UInt64 = 1

  /// The first frame is that of the first tick after `start`.
  package init(_ metronome: Metronome, start: MonotonicTime) {
    self.metronome = metronome
    nextTick = metronome.tick(notAfter: start) + 1
  }

  /// When the next frame is to be exposed.
  package var deadline: MonotonicTime { metronome.time(of: nextTick) }

  /// The newest frame whose moment has come, and its exact moment; frames that were due before it keep their numbers
  /// and are lost.
  package mutating func takeFrame(
    at now: MonotonicTime
  ) -> (number: UInt64, time: MonotonicTime) {
    let tick = max(nextTick, metronome.tick(notAfter: now))
    let number = nextNumber + UInt64(tick - nextTick)
    nextTick = tick + 1
    nextNumber = number + 1
    return (number, metronome.time(of: tick))
  }

  /// Lets all moments up to now go by without a frame and without a number.
  package mutating func pause(until now: MonotonicTime) {
    nextTick = max(nextTick, metronome.tick(notAfter: now)) + 1
  }
}
