/// How frames are dropped when they come faster than the reader takes them.
public struct FramePolicy: Hashable, Sendable {
  let limit: Int

  /// Up to this many of the newest frames wait. Older ones are dropped and counted as
  /// ``LossCounters/droppedByClient``.
  ///
  /// With 1 the reader always gets the newest frame. More frames bridge short delays of the reader
  /// and add latency.
  public static func newest(_ count: Int) -> FramePolicy {
    FramePolicy(limit: max(1, count))
  }
}
