import OperatingSystem

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
  /// Frames that the node left out to keep to ``CameraConfiguration/maximumRate``.
  public var thinned: UInt64 = 0

  /// Frames lost in the node. Those that it left out on request are not among them.
  public var droppedByNode: UInt64 {
    // A node may send any number.
    [corrupted, truncated, skipped, poolExhausted].reduce(0) { $0.addingSaturated($1) }
  }

  /// The frames that were counted after earlier counters of the same camera.
  ///
  /// Counters start again with the node. After a restart the last counts of the earlier start are
  /// unknown, so these are the frames of the new start.
  /// - Parameter isSameStart: Whether the node was not restarted in between.
  package func counted(since earlier: FrameCounters, isSameStart: Bool) -> FrameCounters {
    guard isSameStart else { return self }
    func difference(_ counter: KeyPath<FrameCounters, UInt64>) -> UInt64 {
      let (now, before) = (self[keyPath: counter], earlier[keyPath: counter])
      return now > before ? now - before : 0
    }
    return FrameCounters(
      delivered: difference(\.delivered),
      lostByCamera: difference(\.lostByCamera),
      corrupted: difference(\.corrupted),
      truncated: difference(\.truncated),
      skipped: difference(\.skipped),
      poolExhausted: difference(\.poolExhausted),
      thinned: difference(\.thinned)
    )
  }
}
