package import Capture
package import Imaging
import OperatingSystem

/// The result of a recording.
package struct MovieSummary: Hashable, Sendable {
  package enum EndReason: Hashable, Sendable {
    case stopped, limitReached, storageFull, storageFailed, cameraLost, nodeStopped, soundLost
    /// The recording goes on in its next file, or waits for its next clip.
    case cut
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

extension MovieSummary {
  /// What several files of a recording have together.
  struct Total {
    private(set) var files = 0
    private(set) var frames = 0
    private(set) var dropped = 0
    private(set) var byteCount = 0
    private(set) var duration = Duration.zero
    private var size = ImageSize(width: 0, height: 0)
    private var first, last: FrameMetadata?
    private var sound: Sound?

    /// - Parameter duration: How long the file is.
    mutating func add(_ file: MovieSummary, lasting duration: Duration) {
      guard file.frames > 0 else { return }
      files += 1
      frames += file.frames
      dropped += file.dropped
      byteCount += file.byteCount
      self.duration += duration
      size = file.size
      first = first ?? file.first
      last = file.last ?? last
      if let new = file.sound {
        sound = Sound(codec: new.codec, silent: new.silent + (sound?.silent ?? .zero))
      }
    }

    func summary(
      _ reason: EndReason, _ format: MovieFormat, dropped: Int, error: RecordingError?
    ) -> MovieSummary {
      MovieSummary(
        reason: reason, format: format, size: size, frames: frames, dropped: dropped,
        byteCount: byteCount, duration: duration, first: first, last: last, error: error,
        sound: sound)
    }
  }
}

/// What a recorder tells of a recording.
package enum MovieNews: Sendable {
  /// The recording's first picture, of this frame, is in its first file.
  case began(FrameMetadata)
  /// It has gone on for the interval that was asked for.
  case progress
  /// The file at a path is closed. Without a frame there is none.
  case file(path: String, MovieSummary)
  /// The recording has ended, with all its files. Nothing comes after it.
  case ended(MovieSummary)
}
