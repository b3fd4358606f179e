/// A camera's frames since its node started, by how they ended on their way into the node.
public struct FrameCounters: Hashable, Sendable, Codable {
  /// Frames delivered to the ring of recent frames.
  public var delivered: UInt64
  /// Frames lost by the camera: gaps in the driver's numbering.
  public var lostByCamera: UInt64
  /// Frames dropped by the node because the driver marked them as damaged.
  public var corrupted: UInt64
  /// Frames dropped by the node because they were cut short.
  public var truncated: UInt64
  /// Frames that the node skipped for newer ones.
  public var skipped: UInt64
  /// Frames dropped by the node because its memory for them was in use.
  public var poolExhausted: UInt64

  /// Frames dropped by the node for any of these reasons.
  public var droppedByNode: UInt64 { corrupted + truncated + skipped + poolExhausted }
}
