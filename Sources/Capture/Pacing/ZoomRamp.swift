import Glibc
package import OperatingSystem

/// Moves a zoom from one factor to another, by the same ratio in the same time. Pure: the time
/// stamps of frames drive it, and no timer.
package struct ZoomRamp: Hashable, Sendable {
  /// Doublings a second.
  package static let fastest = 64.0

  package let target: Double
  private let start: Double
  private let rate: Double
  private var first: MonotonicTime?
  /// Seconds since the first frame.
  private var elapsed = 0.0

  /// - Parameters:
  ///   - start: Above 0.
  ///   - target: Above 0.
  ///   - rate: Doublings a second, above 0.
  package init(from start: Double, to target: Double, rate: Double) {
    (self.start, self.target, self.rate) = (start, target, rate)
  }

  /// The zoom of the frame of this time. The first one still has the old zoom. A clock that goes
  /// back does not turn the ramp round.
  package mutating func zoom(at time: MonotonicTime) -> Double {
    let start = first ?? time
    first = start
    elapsed = max(elapsed, Double((time - start).wholeNanoseconds) / 1e9)
    return zoom
  }

  private var zoom: Double {
    let doublings = log2(target / start)
    let done = rate * elapsed
    return done < abs(doublings) ? start * exp2(doublings < 0 ? -done : done) : target
  }
}
