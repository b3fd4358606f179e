package import OperatingSystem

/// When a frame was exposed, as far as its timestamp proves it: the exposure began at or after
/// `earliestStart`, and ended at or before `latestEnd`.
///
/// The exposure of a frame lasts from the start of its first pixel to the end of its last one. Two
/// assumptions about the camera are needed where it says nothing: it exposes each pixel for at most
/// one frame interval, and it needs at most one more interval to read the picture out and to send
/// it. Otherwise it could not keep its rate.
package struct ExposureBounds: Codable, Hashable, Sendable {
  package var earliestStart: MonotonicTime
  package var latestEnd: MonotonicTime

  package init(earliestStart: MonotonicTime, latestEnd: MonotonicTime) {
    self.earliestStart = earliestStart
    self.latestEnd = latestEnd
  }

  /// The bounds that follow from a timestamp.
  ///
  /// - Parameters:
  ///   - duration: How long each pixel was exposed, in nanoseconds, if it is known.
  ///   - interval: The time between two frames, in nanoseconds.
  ///   - dequeued: When the node got the frame. It cannot have ended later, whatever the stamp
  ///     says.
  package init(
    timestamp: MonotonicTime,
    marks: TimestampMark,
    duration: Int64?,
    interval: Int64,
    dequeued: MonotonicTime
  ) {
    // A driver that predicts stamps a moment after the dequeue.
    let stamp = min(timestamp, dequeued)
    // Exposing, reading out and sending.
    let most = Duration.nanoseconds(duration ?? interval) + .nanoseconds(interval)
    let bounds =
      switch marks {
      case .exposureStart: (stamp, min(stamp + most, dequeued))
      case .frameEnd: (stamp - most, stamp)
      case .arrival, .dequeue: (stamp - most, dequeued)
      }
    self.init(earliestStart: bounds.0, latestEnd: bounds.1)
  }
}

/// What a frame's timestamp marks, from the best to the worst.
package enum TimestampMark: Codable, Hashable, Sendable {
  /// The start of the exposure. Believed only where there is evidence for it.
  case exposureStart
  /// The end of the frame: its last pixel was read out.
  case frameEnd
  /// The arrival of the frame's first bytes. The exposure of its first pixels was over by then.
  case arrival
  /// The driver gives no usable time, so the timestamp is the time of the dequeue.
  case dequeue
}
