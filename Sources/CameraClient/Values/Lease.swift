/// The right of one client to configure a camera and to set its controls alone, as everybody sees
/// it. The holder has a ``CameraLease``.
public struct Lease: Hashable, Sendable, Codable {
  /// How others know the holder.
  public var holder: String
  /// When it began.
  public var since: Timestamp
  /// After how long a silence of the holder it ends, in nanoseconds.
  public var termNanoseconds: UInt64
  /// When it ends unless it is renewed, on the node's monotonic clock, as of this message.
  public var expiresMonotonicNanoseconds: Int64
}
