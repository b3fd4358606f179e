import OperatingSystem

/// Decides when a publisher reads its subscriptions, so that they seldom wake its thread. Pure.
///
/// With every second frame that a subscriber takes, libzmq signals that its queue has room again, and it does so on the
/// descriptor that also signals subscriptions. A thread that is woken by that, or by the end of a rest, disturbs the
/// sending of that very frame. So after subscriptions were read, the socket rests. After the shortest rest the next
/// frame ends it, once it has been sent: it found the thread awake. Without a frame the longest rest ends it.
///
/// While there are more than a hundred publications in the shortest rest, no rest begins. Subscribers' queues then fill
/// and empty so fast that libzmq, which looks at them once a millisecond unless it is asked to, would drop what there
/// is room for.
struct SubscriptionRest {
  /// The shortest and the longest rest; nil for a publisher that never rests.
  private let bounds: ClosedRange<Duration>?
  /// Nanoseconds between publications, as an average that forgets old ones. A long time before there were two.
  private var interval: Int64 = 3_600_000_000_000
  private var lastPublication: MonotonicTime?
  /// The first frame after this moment ends the rest.
  private var shortestEnd = MonotonicTime.distantFuture

  init(_ bounds: ClosedRange<Duration>?) {
    self.bounds = bounds
  }

  /// Takes every publication into account.
  mutating func publishes(at now: MonotonicTime) {
    if let lastPublication {
      interval += (now.nanoseconds - lastPublication.nanoseconds - interval) / 16
    }
    lastPublication = now
  }

  /// A frame has been sent.
  /// - Returns: whether it ends the rest, so that subscriptions are to be read now.
  mutating func sentFrame(at now: MonotonicTime) -> Bool {
    guard shortestEnd <= now else { return false }
    shortestEnd = .distantFuture
    return true
  }

  /// Subscriptions have been read.
  /// - Returns: the latest end of the rest that begins now; nil if none begins, and one under way goes on.
  mutating func readSubscriptions(at now: MonotonicTime) -> MonotonicTime? {
    guard let bounds, .nanoseconds(interval) >= bounds.lowerBound / 100 else { return nil }
    shortestEnd = now + bounds.lowerBound
    return now + bounds.upperBound
  }
}
