import CameraProtocol
public import FoundationEssentials
import OperatingSystem

/// A moment on two clocks of the node that reports it.
public struct Timestamp: Hashable, Sendable, Codable, CustomStringConvertible {
  /// `CLOCK_MONOTONIC` in nanoseconds: never steps; comparable within one boot of one machine.
  public var monotonicNanoseconds: Int64
  /// The wall clock at the same moment, nanoseconds since 1970-01-01T00:00:00Z.
  public var wallNanoseconds: Int64
  /// The bound of the wall clock's error in nanoseconds; nil where it is unknown. Only chronyd and
  /// ntpd compute one; where others keep the clock, the node's operator may state one.
  public var wallErrorNanoseconds: Int64?

  /// A moment with these readings.
  public init(
    monotonicNanoseconds: Int64,
    wallNanoseconds: Int64,
    wallErrorNanoseconds: Int64? = nil
  ) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallNanoseconds = wallNanoseconds
    self.wallErrorNanoseconds = wallErrorNanoseconds
  }

  /// The wall clock as a date, to about a tenth of a microsecond.
  public var date: Date {
    Date(timeIntervalSince1970: Double(wallNanoseconds) / 1e9)
  }

  /// The wall clock as RFC 3339 text in UTC with nanoseconds: `2026-11-21T09:07:07.123456789Z`.
  public var text: String { WallTime.text(nanoseconds: wallNanoseconds) }

  /// The wall clock, as ``text``.
  public var description: String { text }
}

/// When a frame was exposed, as far as that is known. Both moments are on the node's
/// `CLOCK_MONOTONIC`, as ``Timestamp/monotonicNanoseconds``.
public struct ExposureBounds: Hashable, Sendable, Codable {
  /// The exposure began at or after this moment.
  public var earliestStartNanoseconds: Int64
  /// The exposure ended at or before this moment.
  public var latestEndNanoseconds: Int64
  /// How long the camera exposed each pixel, nanoseconds; nil if that is not known.
  public var durationNanoseconds: UInt64?
  /// What the frame's timestamp marks.
  public var timestampMark: TimestampMark
}
