public import CameraClient
import OperatingSystem

/// What all readings of a node's clock together say of it, at any moment.
///
/// Each reading bounds the offset, whatever the network did. A bound holds at another moment when
/// it is widened by the drift, 100 millionths of the time in between. Readings before and after a
/// moment bound it best. A pure value.
public struct ClockEstimate: Sendable {
  /// Whether a reading agrees with the earlier ones.
  public enum Finding: Hashable, Sendable {
    /// It does.
    case consistent
    /// A clock was changed. What was known before is forgotten.
    case clockChanged
  }

  /// What this machine's wall clock shows: see ``OwnWallClock``.
  public struct WallClock: Hashable, Sendable, Codable {
    /// What must be added to the monotonic clock to get it.
    public var offset: Duration
    /// By how much it may be wrong.
    public var error: Duration

    private enum CodingKeys: String, CodingKey {
      case offset = "offsetNanoseconds"
      case error = "errorNanoseconds"
    }

    /// A clock that is so far from the monotonic one.
    public init(offset: Duration, error: Duration) {
      self.offset = offset
      self.error = error
    }
  }

  /// How long two clocks take at least to drift apart by one nanosecond, in nanoseconds.
  static let drift: Int64 = 10_000
  /// How many bounds are kept on each side. One that others imply is never kept.
  fileprivate static let kept = 256

  private let ownClockID: String
  private var clockID = ""
  /// Bounds of the offset, and of its negative.
  private var (above, below) = (Bounds(), Bounds())
  /// Whether the bounds of the wall clocks contradict the last reading. Then they do not count.
  public private(set) var isWallWrong = false

  /// Nothing is known yet.
  public init() { self.init(ownClockID: MonotonicTime.clockID) }

  /// - Parameter ownClockID: Names this machine's clock.
  init(ownClockID: String) { self.ownClockID = ownClockID }

  /// Takes a reading.
  /// - Parameters:
  ///   - reading: What the node's clocks showed.
  ///   - own: This machine's wall clock (``OwnWallClock``), if it is known how wrong it may be. If
  ///     that is known of the node's too, both together are one more bound.
  /// - Returns: Whether it agrees with the earlier ones.
  @discardableResult
  public mutating func add(_ reading: ClockReading, own: WallClock? = nil) -> Finding {
    let bound = ClockOffset(
      least: reading.answered.monotonic - reading.received, most: reading.read - reading.sent)
    let isConsistent =
      bound.isPossible
      && (above.isEmpty || reading.clockID == clockID && allow(bound, of: reading))
    if !isConsistent { (above, below, isWallWrong) = (Bounds(), Bounds(), false) }
    clockID = reading.clockID
    if bound.isPossible {
      take(bound, of: reading)
      if let own, let error = reading.answered.wallError {
        let node =
          Duration.nanoseconds(reading.answered.wall.nanoseconds)
          - .nanoseconds(reading.answered.monotonic.nanoseconds)
        let middle = own.offset - node
        let both = own.error + error
        let wall = ClockOffset(least: middle - both, most: middle + both)
        isWallWrong = !allow(wall, of: reading)
        if !isWallWrong { take(wall, of: reading) }
      }
    }
    return isConsistent ? .consistent : .clockChanged
  }

  /// The offset at a moment of this machine's clock, past or future; nil before the first reading.
  public func offset(at moment: MonotonicInstant) -> ClockOffset? {
    guard let most = above.bound(at: moment), let least = below.bound(at: moment) else {
      return nil
    }
    let offset = ClockOffset(least: .zero - least, most: most)
    guard !clockID.isEmpty, clockID == ownClockID, offset.least <= .zero, .zero <= offset.most
    else { return offset }
    // It is the same clock.
    return ClockOffset(least: .zero, most: .zero)
  }

  // The node read the request after it was sent. So what its clock showed then, less the moment of
  // sending, is at least the offset at that moment. In the same way its answer bounds the offset at
  // the moment of receiving.

  private func allow(_ bound: ClockOffset, of reading: ClockReading) -> Bool {
    !above.exclude(bound.least, at: reading.received)
      && !below.exclude(.zero - bound.most, at: reading.sent)
  }

  private mutating func take(_ bound: ClockOffset, of reading: ClockReading) {
    above.add(bound.most, at: reading.sent)
    below.add(.zero - bound.least, at: reading.received)
  }
}

extension ClockOffset {
  /// Not where a node says that more time has passed than there was.
  fileprivate var isPossible: Bool { least <= most }
}

/// Durations that something does not exceed, each at its moment.
private struct Bounds {
  private var known: [(moment: MonotonicInstant, most: Duration)] = []

  var isEmpty: Bool { known.isEmpty }

  /// What it does not exceed at a moment.
  func bound(at moment: MonotonicInstant) -> Duration? {
    known.lazy.map { $0.most + Self.drift(moment, $0.moment) }.min()
  }

  func exclude(_ duration: Duration, at moment: MonotonicInstant) -> Bool {
    bound(at: moment).map { $0 < duration } ?? false
  }

  mutating func add(_ most: Duration, at moment: MonotonicInstant) {
    if let present = bound(at: moment), present <= most { return }
    known.removeAll { $0.most >= most + Self.drift($0.moment, moment) }
    if known.count == ClockEstimate.kept { known.removeFirst() }
    known.append((moment, most))
  }

  /// How far two clocks drift apart at most between two moments.
  private static func drift(_ one: MonotonicInstant, _ other: MonotonicInstant) -> Duration {
    let passed = max(one - other, other - one).wholeNanoseconds
    return .nanoseconds(passed / ClockEstimate.drift + (passed % ClockEstimate.drift == 0 ? 0 : 1))
  }
}
