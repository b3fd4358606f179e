package import EventLoop
package import OperatingSystem

/// How sound is sampled.
package struct SoundFormat: Hashable, Sendable {
  /// Samples of each channel in a second.
  package var rate: Int
  package var channels: Int

  package init(rate: Int = 48_000, channels: Int = 1) {
    (self.rate, self.channels) = (rate, channels)
  }

  /// How long so many samples of each channel last at the stated rate.
  package func duration(of count: Int) -> Duration {
    .nanoseconds(Int64((Double(count) * 1e9 / Double(rate)).rounded()))
  }
}

/// Samples that a device recorded one after the other.
package struct SoundChunk: Sendable {
  /// Those of all channels, of one moment after the other.
  package var samples: [Int16]
  /// The number of the first moment, counted from the start of the device or from its last loss.
  package var first: Int64
  /// The moment that has a number, which may lie in a later chunk.
  package var stamp: Stamp
  /// Whether samples were lost before it, or none came before. Then its numbers begin at zero.
  package var isFirst: Bool

  package struct Stamp: Hashable, Sendable {
    package var number: Int64
    package var time: MonotonicTime

    package init(number: Int64, time: MonotonicTime) {
      (self.number, self.time) = (number, time)
    }
  }

  package init(samples: [Int16], first: Int64, stamp: Stamp, isFirst: Bool) {
    self.samples = samples
    self.first = first
    self.stamp = stamp
    self.isFirst = isFirst
  }
}

/// Why no sound comes from a device.
package struct SoundError: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// Another program has it.
    case inUse
    /// It is not there, or went away.
    case disconnected
    /// It is open and delivers nothing.
    case stalled
    /// The node has no permission.
    case denied
    case failed
  }

  package var cause: Cause
  /// A sentence for people, with the remedy.
  package var message: String

  package init(_ cause: Cause, _ message: String) {
    (self.cause, self.message) = (cause, message)
  }
}

/// A device that records sound.
package protocol SoundDevice: Sendable {
  /// Opens and starts it. Called on a thread that may wait for the driver, as all other calls are.
  /// - Parameters:
  ///   - onSound: Called on `loop` with each chunk.
  ///   - onEnd: Called on `loop` at most once, when it delivers nothing more. It still has to be
  ///     closed.
  func open(
    on loop: EventLoop, onSound: @escaping (SoundChunk) -> Void,
    onEnd: @escaping (SoundError) -> Void
  ) throws(SoundError) -> any OpenSoundDevice
}

/// A device that was opened.
package protocol OpenSoundDevice: AnyObject {
  var format: SoundFormat { get }

  /// Closes it. A second call does nothing.
  func close()
}
