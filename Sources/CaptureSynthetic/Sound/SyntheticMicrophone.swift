package import Capture
package import EventLoop
import Glibc
import OperatingSystem

/// A microphone that hears a beep of 1 kHz in the first tenth of each second of `CLOCK_MONOTONIC`.
package struct SyntheticMicrophone: SoundDevice, Hashable {
  /// The beep's length and its frequency.
  package static let beep = Duration.milliseconds(100)
  static let frequency = 1000.0
  static let loudness = 12_000.0

  package var format = SoundFormat()
  /// How much faster it samples than it says, in millionths.
  package var drift = 0.0
  /// After how long it is unplugged each time it was opened; nil for never.
  package var lasts: Duration?
  /// Whether another program has it.
  package var isInUse = false

  package init() {}

  package func open(
    on loop: EventLoop, onSound: @escaping (SoundChunk) -> Void,
    onEnd: @escaping (SoundError) -> Void
  ) throws(SoundError) -> any OpenSoundDevice {
    guard !isInUse else {
      throw SoundError(
        .inUse, "another program has the synthetic microphone: configure it without inuse=on")
    }
    return OpenSyntheticMicrophone(self, on: loop, onSound, onEnd)
  }

  /// The sample of a moment, in nanoseconds of `CLOCK_MONOTONIC`.
  static func sample(at nanoseconds: Double) -> Int16 {
    let second = nanoseconds / 1e9
    let place = second - second.rounded(.down)
    guard place < beep / .seconds(1) else { return 0 }
    return Int16(loudness * sin(2 * .pi * frequency * place))
  }
}

private final class OpenSyntheticMicrophone: OpenSoundDevice {
  /// How long a chunk is.
  private static let period = 0.02

  let format: SoundFormat
  private let microphone: SyntheticMicrophone
  private let loop: EventLoop
  private let onSound: (SoundChunk) -> Void
  private let onEnd: (SoundError) -> Void
  private let start = MonotonicTime.now
  private var next: Int64 = 0
  private var timer: LoopTimer?

  init(
    _ microphone: SyntheticMicrophone, on loop: EventLoop,
    _ onSound: @escaping (SoundChunk) -> Void,
    _ onEnd: @escaping (SoundError) -> Void
  ) {
    self.microphone = microphone
    format = microphone.format
    self.loop = loop
    self.onSound = onSound
    self.onEnd = onEnd
    timer = loop.schedule(at: time(of: count)) { [weak self] in self?.deliver() }
  }

  func close() {
    timer?.cancel()
    timer = nil
  }

  private var count: Int64 { Int64(Double(format.rate) * Self.period) }

  private func nanoseconds(of number: Int64) -> Double {
    Double(number) * 1e9 / (Double(format.rate) * (1 + microphone.drift / 1e6))
  }

  private func time(of number: Int64) -> MonotonicTime {
    start + .nanoseconds(Int64(nanoseconds(of: number)))
  }

  /// Delivers all that was recorded by now.
  private func deliver() {
    let first = next
    repeat { next += count } while time(of: next + count) <= .now
    let begin = Double(start.nanoseconds)
    var samples: [Int16] = []
    samples.reserveCapacity(Int(next - first) * format.channels)
    for number in first..<next {
      let sample = SyntheticMicrophone.sample(at: begin + nanoseconds(of: number))
      for _ in 0..<format.channels { samples.append(sample) }
    }
    timer?.again(at: time(of: next + count))
    onSound(
      SoundChunk(
        samples: samples, first: first,
        stamp: SoundChunk.Stamp(number: next, time: time(of: next)), isFirst: first == 0))
    if let lasts = microphone.lasts, time(of: next) - start >= lasts, timer != nil {
      close()
      onEnd(SoundError(.disconnected, "the synthetic microphone is not there: wait a second"))
    }
  }
}
