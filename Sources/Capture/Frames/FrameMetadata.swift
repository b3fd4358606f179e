package import Imaging
package import OperatingSystem

/// A frame's number in its stream, and the moments at which each stage had it.
///
/// All times are on the node's `CLOCK_MONOTONIC`; the wall clock is that time plus
/// `wallClock.offset`.
package struct FrameMetadata: Codable, Hashable, Sendable {
  /// Counts the camera's frames from 1 at the start of its stream. Lost frames have numbers too.
  package var sequence: UInt64
  /// The driver's timestamp.
  package var timestamp: MonotonicTime
  /// What `timestamp` marks.
  package var marks: TimestampMark
  /// When the frame was exposed, as far as that is known.
  package var exposure: ExposureBounds
  /// How the frame was taken, as far as that is known.
  package var facts: FrameFacts
  /// When the capture thread got the driver's buffer.
  package var dequeued: MonotonicTime
  /// When the copy out of the driver's buffer was done.
  package var copied: MonotonicTime
  /// The wall clock beside the monotonic clock, sampled with this frame.
  package var wallClock: WallClockSample
  /// When an encoder began and finished the frame; both equal `copied` for a frame that is passed
  /// through.
  package var encodeStarted: MonotonicTime
  package var encodeFinished: MonotonicTime
  /// How the node turned the camera's picture.
  package var orientation = Orientation.upright
  /// How much the node enlarges the middle of the camera's picture in the pictures that it makes of
  /// it: the zoom of a camera that has none.
  package var crop = 1.0
  /// Counts the camera's frames that are delivered or lost. Those that a lower rate leaves out have
  /// no number. Nil for a frame outside of a stream.
  package var ordinal: UInt64?
  /// When it was captured by the camera's own clock, if that is known.
  package var deviceTime: DeviceTime?
  /// What a coded picture of a video needs to be decoded; nil for other frames.
  package var dependence: PictureDependence?

  package init(
    sequence: UInt64,
    timestamp: MonotonicTime,
    marks: TimestampMark,
    exposure: ExposureBounds,
    facts: FrameFacts = FrameFacts(),
    dequeued: MonotonicTime,
    copied: MonotonicTime,
    wallClock: WallClockSample
  ) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.marks = marks
    self.exposure = exposure
    self.facts = facts
    self.dequeued = dequeued
    self.copied = copied
    self.wallClock = wallClock
    self.encodeStarted = copied
    self.encodeFinished = copied
  }
}

/// What a coded picture of a video needs to be decoded.
package enum PictureDependence: Codable, Hashable, Sendable {
  /// Nothing: a decoder can begin with it.
  case key
  /// The pictures before it, from a key picture on.
  case delta
}

extension FrameMetadata {
  /// The metadata of a picture that the node makes of the frame.
  package func pictured(_ orientation: Orientation = .upright) -> FrameMetadata {
    var picture = self
    picture.orientation = orientation
    if crop != 1 { picture.facts.zoom = crop }
    return picture
  }
}
