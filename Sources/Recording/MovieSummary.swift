package import Capture
package import Imaging
import OperatingSystem

/// The result of a recording.
package struct MovieSummary: Hashable, Sendable {
  package enum EndReason: Hashable, Sendable {
    case stopped, limitReached, storageFull, storageFailed, cameraLost, nodeStopped, soundLost
  }

  package var reason: EndReason
  package var format: MovieFormat
  package var size: ImageSize
  package var frames: Int
  /// Frames that the recorder had no room for.
  package var dropped: Int
  /// Bytes of all frames.
  package var byteCount: Int
  /// From the first frame to the last.
  package var duration: Duration
  /// The first and the last frame in the file; nil when there is no frame.
  package var first, last: FrameMetadata?
  /// What went wrong; nil if nothing did.
  package var error: RecordingError?
  /// Its sound; nil if it has none.
  package var sound: Sound?

  /// The sound of a movie.
  package struct Sound: Hashable, Sendable {
    package var codec: SoundCodec
    /// How much of it is silence because no sound came.
    package var silent: Duration
  }

  /// The first frame's wall clock, nanoseconds since 1970; nil when there is no frame.
  package var startedAt: Int64? {
    first.map { $0.timestamp.nanoseconds + $0.wallClock.offset }
  }
}
