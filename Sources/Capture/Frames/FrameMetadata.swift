package import OperatingSystem

/// What is known of a frame beside its pixels: where it stands in its stream, and when each stage had it.
///
/// All times are on the node's `CLOCK_MONOTONIC`; the wall clock is that time plus `wallClock.offset`.
package struct FrameMetadata: Hashable, Sendable {
  /// Counts the camera's frames from 1 at the start of its stream; frames that were lost have a number too.
  package var sequence: UInt64
  /// The driver's time of the frame.
  package var timestamp: MonotonicTime
  /// What moment of the exposure `timestamp` marks.
  package var marks: TimestampMark
  /// When the capture thread got the buffer from the driver.
  package var dequeued: MonotonicTime
  /// When the one copy out of the driver's buffer was done.
  package var copied: MonotonicTime
  /// The wall clock beside the monotonic clock, sampled with this frame.
  package var wallClock: WallClockSample
  /// When an encoder took the frame up and when it was done; the same as `copied` for a frame passed through.
  package var encodeStarted: MonotonicTime
  package var encodeFinished: MonotonicTime

  package init(
    sequence: UInt64,
    timestamp: MonotonicTime,
    marks: TimestampMark,
    dequeued: MonotonicTime,
    copied: MonotonicTime,
    wallClock: WallClockSample
  ) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.marks = marks
    self.dequeued = dequeued
    self.copied = copied
    self.wallClock = wallClock
    self.encodeStarted = copied
    self.encodeFinished = copied
  }
}

/// The moment of the exposure that a driver's timestamp marks (V4L2: `V4L2_BUF_FLAG_TSTAMP_SRC_*`).
package enum TimestampMark: Hashable, Sendable {
  case startOfExposure
  case endOfFrame
  /// The driver gives no monotonic time; the frame carries the time of its dequeueing.
  case dequeue
}
