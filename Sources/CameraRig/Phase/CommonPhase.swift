import CameraClient
import OperatingSystem

/// When a camera's frames come.
struct Rhythm: Sendable {
  /// By its node's clock.
  let pace: FramePace
  /// How far that is ahead of this machine's.
  let clock: ClockOffset

  /// When a frame is due, on this machine's clock: the middle of what is possible.
  var frame: MonotonicInstant { pace.newest.monotonic - clock.middle }
}

/// The phases of cameras whose frames come at the same interval. Pure.
///
/// A phase is a moment on a circle as long as the interval.
struct CommonPhase {
  /// By how much intervals may differ that count as the same: a thousandth.
  private static let tolerance = 0.001

  /// Nanoseconds from one frame to the next.
  let interval: Double

  /// Whether frames at another interval keep a common phase for a while.
  /// - Parameter error: How far the difference of the two may be wrong.
  func has(_ other: Double, within error: Double = 0) -> Bool {
    abs(other - interval) <= interval * Self.tolerance + error
  }

  /// Whether a camera has the interval of another one, as far as their stamps tell it.
  func has(_ camera: FramePace, of reference: FramePace) -> Bool {
    has(camera.interval, within: camera.intervalError + reference.intervalError)
  }

  /// How far a moment lies behind the nearest of those that are whole intervals from another one:
  /// from minus half an interval to half of it.
  func distance(of moment: MonotonicInstant, from other: MonotonicInstant) -> Duration {
    let apart = Double((moment - other).wholeNanoseconds)
    return .nanoseconds(clamping: apart - (apart / interval).rounded() * interval)
  }

  /// The first moment that is not before `start` and whole intervals from another one.
  func next(of moment: MonotonicInstant, notBefore start: MonotonicInstant) -> MonotonicInstant {
    let missing = Double((start - moment).wholeNanoseconds)
    let next = moment + .nanoseconds(clamping: (missing / interval).rounded(.up) * interval)
    // A rounded nanosecond may lie before it.
    return max(next, start)
  }

  /// The moment from `start` on, within one interval, whose largest distance to the nearest frame
  /// of any of the cameras is least.
  /// - Parameter frames: A moment of a frame of each camera.
  func best(
    for frames: [MonotonicInstant], notBefore start: MonotonicInstant
  ) -> MonotonicInstant? {
    let phases = frames.map { next(of: $0, notBefore: start) }.sorted()
    guard let first = phases.first, let last = phases.last else { return nil }
    // All phases lie outside of the largest gap between neighbours. The middle of the rest is best.
    let whole = Duration.nanoseconds(clamping: interval)
    var (gap, begin, end) = (first + whole - last, first, last)
    for (one, other) in zip(phases, phases.dropFirst()) where other - one > gap {
      (gap, begin, end) = (other - one, other, one + whole)
    }
    return next(of: begin + (end - begin) / 2, notBefore: start)
  }

  /// How far a camera's frames are from another one's, by their timestamps, and how fast that
  /// changes, in millionths.
  func place(
    of camera: Rhythm, by reference: Rhythm, isSame: Bool
  ) -> (bounds: RigShot.Bounds, drift: Double) {
    guard !isSame else { return (RigShot.Bounds(least: .zero, most: .zero), 0) }
    let middle = distance(of: camera.frame, from: reference.frame)
    // A line through jittering stamps is not known better than by their mean error.
    let noise = [camera.pace, reference.pace].map {
      $0.deviation / Double(max(1, $0.frames)).squareRoot()
    }
    let stamps = Duration.nanoseconds(clamping: noise.reduce(0, +).rounded(.up))
    let error = camera.clock.error + reference.clock.error + stamps
    return (
      RigShot.Bounds(least: middle - error, most: middle + error),
      (camera.pace.interval - reference.pace.interval) / reference.pace.interval * 1e6
    )
  }
}

extension FramePace {
  /// How far its interval may be wrong, in nanoseconds: three times the standard error of the slope
  /// of a line through so many stamps.
  var intervalError: Double {
    let count = Double(max(2, frames))
    return 3 * deviation * (12 / (count * count * count)).squareRoot()
  }
}

extension Duration {
  /// The nearest duration of whole nanoseconds, whatever a stranger's numbers come to: zero for
  /// none.
  static func nanoseconds(clamping nanoseconds: Double) -> Duration {
    guard !nanoseconds.isNaN else { return .zero }
    let whole = Int64(exactly: nanoseconds.rounded())
    return .nanoseconds(whole ?? (nanoseconds < 0 ? .min : .max))
  }
}

/// The frame intervals of cameras, as far as a rig waits for them.
enum AwaitedInterval {
  /// A moment that is further ahead is nothing that a shot can have.
  static let longest = Duration.seconds(5)

  /// - Parameter rate: Frames a second; nil if that is not known.
  static func of(_ rate: Double?) -> Duration? {
    guard let rate, rate > 0 else { return nil }
    return min(.nanoseconds(clamping: 1e9 / rate), longest)
  }
}
