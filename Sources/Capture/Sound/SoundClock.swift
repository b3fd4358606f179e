package import OperatingSystem

/// When the samples of a device were recorded: a line through its stamps. Pure.
///
/// A device's own clock is off by up to some hundred millionths, and single stamps by a millisecond
/// or more. The line follows the device's real rate, as an alpha-beta filter whose gains stay when
/// enough stamps have come.
package struct SoundClock: Sendable {
  /// The most stamps that count.
  static let window = 1024
  /// How many stamps it takes until the rate is learned, instead of believed.
  static let learning = 64
  /// How many stamps it takes until the rate is told.
  static let telling = 256
  /// How far a device's rate may be from what it says.
  private static let furthest = 0.01
  /// A stamp that lies further from the line counts as if it lay so far, in nanoseconds.
  private static let outlier = 5e6
  /// How many stamps in a row that lie far away begin another line, and how far that is.
  private static let strays = 5
  private static let strayDistance = 50e6

  /// Nanoseconds between two samples, by the rate that the device says.
  private let nominal: Double
  private var interval: Double
  private var number: Int64 = 0
  /// Where the line is for `number`: a whole moment, and nanoseconds beside it.
  private var time = MonotonicTime.distantPast
  private var part = 0.0
  private var count = 0
  private var strayed = 0

  package init(rate: Int) {
    nominal = 1e9 / Double(rate)
    interval = nominal
  }

  /// How much faster the device samples than it says, in millionths; nil while that is not known.
  package var drift: Double? {
    count < Self.telling ? nil : (nominal / interval - 1) * 1e6
  }

  /// When the sample of this number was recorded.
  package func time(of number: Int64) -> MonotonicTime {
    let nanoseconds = part + Double(number - self.number) * interval
    return time + .nanoseconds(Int64(exactly: nanoseconds.rounded()) ?? 0)
  }

  package mutating func take(_ stamp: SoundChunk.Stamp) {
    guard count > 0 else { return begin(stamp) }
    let steps = Double(stamp.number - number)
    guard steps > 0 else { return }
    let expected = part + steps * interval
    var error = Double((stamp.time - time).wholeNanoseconds) - expected
    if abs(error) > Self.strayDistance {
      strayed += 1
      if strayed >= Self.strays { return begin(stamp) }
    } else {
      strayed = 0
    }
    error = min(max(error, -Self.outlier), Self.outlier)
    count += 1
    let weight = Double(min(count, Self.window))
    var alpha = 1 / weight
    if count > Self.learning {
      alpha = 2 * (2 * weight - 1) / (weight * (weight + 1))
      interval += 6 / (weight * (weight + 1)) * error / steps
      interval = min(
        max(interval, nominal * (1 - Self.furthest)), nominal * (1 + Self.furthest))
    }
    let exact = expected + alpha * error
    let whole = exact.rounded(.down)
    time = time + .nanoseconds(Int64(exactly: whole) ?? 0)
    part = exact - whole
    number = stamp.number
  }

  private mutating func begin(_ stamp: SoundChunk.Stamp) {
    (number, time, part) = (stamp.number, stamp.time, 0)
    (count, strayed) = (1, 0)
  }
}
