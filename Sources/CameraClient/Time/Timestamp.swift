/// A moment on two clocks of the node that reports it.
public struct Timestamp: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The moment on the monotonic clock.
  public var monotonic: MonotonicInstant
  /// The same moment on the wall clock.
  public var wall: WallInstant
  /// The bound of the wall clock's error; nil where it is unknown. Only chronyd and ntpd compute
  /// one; where others keep the clock, the node's operator may state one.
  public var wallError: Duration?

  private enum CodingKeys: String, CodingKey {
    case monotonic = "monotonicNanoseconds"
    case wall = "wallNanoseconds"
    case wallError = "wallErrorNanoseconds"
  }

  /// A moment with these readings.
  public init(monotonic: MonotonicInstant, wall: WallInstant, wallError: Duration? = nil) {
    self.monotonic = monotonic
    self.wall = wall
    self.wallError = wallError
  }

  /// The wall clock as RFC 3339 text in UTC with nanoseconds: `2026-11-21T09:07:07.123456789Z`.
  public var description: String { wall.description }
}

/// When a frame was exposed, as far as that is known.
public struct ExposureBounds: Hashable, Sendable, Codable {
  /// The exposure began at or after this moment.
  public var earliestStart: MonotonicInstant
  /// The exposure ended at or before this moment.
  public var latestEnd: MonotonicInstant
  /// How long the camera exposed each pixel; nil if that is not known.
  public var duration: Duration?
  /// What the frame's timestamp marks.
  public var timestampMark: TimestampMark

  private enum CodingKeys: String, CodingKey {
    case earliestStart = "earliestStartNanoseconds"
    case latestEnd = "latestEndNanoseconds"
    case duration = "durationNanoseconds"
    case timestampMark
  }
}
