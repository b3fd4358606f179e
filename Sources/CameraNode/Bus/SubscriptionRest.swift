import OperatingSystem

/// Decides when a publisher reads its subscriptions, so that they seldom wake its thread. Pure.
///
/// The descriptor that signals subscriptions also signals, for every second frame, that a
/// subscriber's queue has room again. Waking the thread for that would disturb the sending of the
/// frame. So the socket rests after subscriptions were read. Once the shortest rest is over, the
/// next frame ends it after it has been sent, because it has woken the thread anyway. If no frame
/// comes, the longest rest ends it.
///
/// No rest begins while there are more than a hundred publications in the shortest rest.
/// Subscribers' queues then fill and empty so fast that libzmq would drop frames although there is
/// room, because by itself it checks the queues only once a millisecond.
struct SubscriptionRest {
  /// The shortest and the longest rest; nil for a publisher that never rests.
  private let bounds: ClosedRange<Duration>?
  /// Nanoseconds between publications, as a moving average that begins with an hour.
  private var interval: Int64 = 3_600_000_000_000
  private var lastPublication: MonotonicTime?
  /// The first frame after this moment ends the rest.
  private var shortestEnd = MonotonicTime.distantFuture

  init(_ bounds: ClosedRange<Duration>?) {
    self.bounds = bounds
  }

  /// Call this for every publication, because the density of all of them counts.
  mutating func publishes(at now: MonotonicTime) {
    if let lastPublication {
      interval += (now.nanoseconds - lastPublication.nanoseconds - interval) / 16
    }
    lastPublication = now
  }

  /// Call this after a frame has been sent.
  /// - Returns: Whether the frame ends the rest, so that subscriptions must be read now.
  mutating func sentFrame(at now: MonotonicTime) -> Bool {
    guard shortestEnd <= now else { return false }
    shortestEnd = .distantFuture
    return true
  }

  /// Call this after subscriptions have been read.
  /// - Returns: The latest end of the rest that begins now; nil if none begins. A rest that has
  ///   begun before goes on then.
  mutating func readSubscriptions(at now: MonotonicTime) -> MonotonicTime? {
    guard let bounds, .nanoseconds(interval) >= bounds.lowerBound / 100 else { return nil }
    shortestEnd = now + bounds.lowerBound
    return now + bounds.upperBound
  }
}
