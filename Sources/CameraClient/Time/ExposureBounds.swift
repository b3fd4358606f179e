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
