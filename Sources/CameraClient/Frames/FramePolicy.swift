/// What becomes of frames that come faster than they are taken.
public struct FramePolicy: Hashable, Sendable {
  let limit: Int

  /// This many of the newest frames wait; older ones are dropped and counted as
  /// ``LossCounters/droppedByClient``.
  ///
  /// 1 shows the present and nothing else; more rides out short delays of the reader at the price
  /// of latency.
  public static func newest(_ count: Int) -> FramePolicy {
    FramePolicy(limit: max(1, count))
  }
}
