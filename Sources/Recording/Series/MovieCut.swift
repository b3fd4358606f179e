import OperatingSystem

/// How a recording is cut into files.
package enum MovieCut: Hashable, Sendable {
  /// It is one file.
  case never
  /// One file follows the other, without a frame missing between them.
  case segments(MovieSegments)
  /// Pictures are kept in memory, and each trigger makes a file of those around it.
  case clips(MovieClips)
}

extension MovieSegments {
  /// The first whole multiple of a length after a moment, nanoseconds since 1970.
  func boundary(after moment: Int64, _ length: Int64) -> Int64 {
    moment - moment % length + length
  }
}

extension MovieCut {
  /// When the file behind one that begins now begins, as far as that is known: nanoseconds since
  /// 1970.
  package func nextBeginning(after now: Int64) -> Int64 {
    guard case .segments(let segments) = self, let duration = segments.duration else { return now }
    let length = max(1, duration.wholeNanoseconds)
    guard segments.isByWallClock else { return now + length }
    // A file may begin half a frame before its time.
    return segments.boundary(after: now + min(length / 2, 500_000_000), length)
  }
}

/// When a recording goes on in its next file.
package struct MovieSegments: Hashable, Sendable {
  /// How long each file is; nil for any length.
  package var duration: Duration?
  /// So many bytes end a file; nil for any size.
  package var byteCount: Int?
  /// Whether files end at whole multiples of the duration since 1970 by the wall clock.
  package var isByWallClock: Bool

  package init(duration: Duration? = nil, byteCount: Int? = nil, isByWallClock: Bool = false) {
    self.duration = duration
    self.byteCount = byteCount
    self.isByWallClock = isByWallClock
  }
}

/// How much a clip has around its trigger.
package struct MovieClips: Hashable, Sendable {
  package var before: Duration
  /// After the last trigger of the clip.
  package var after: Duration

  package init(before: Duration, after: Duration) {
    self.before = before
    self.after = after
  }
}

/// What a recording consists of and when it ends.
package struct MoviePlan: Sendable {
  package var format: MovieFormat
  /// The title that players show: the camera's name.
  package var title: String
  /// The nominal rate; nil if it is not known.
  package var framesPerSecond: Double?
  package var limits: MovieRecorder.Limits
  package var cut: MovieCut
  /// How the sound is made that the recorder takes; nil for a movie without.
  package var sound: SoundSettings?
  /// How often news says how far the recording is; nil for never.
  package var progressInterval: Duration?

  package init(
    format: MovieFormat = MovieFormat(), title: String, framesPerSecond: Double? = nil,
    limits: MovieRecorder.Limits = MovieRecorder.Limits(), cut: MovieCut = .never,
    sound: SoundSettings? = nil, progressInterval: Duration? = nil
  ) {
    self.format = format
    self.title = title
    self.framesPerSecond = framesPerSecond
    self.limits = limits
    self.cut = cut
    self.sound = sound
    self.progressInterval = progressInterval
  }

  /// From one frame to the next at the nominal rate; zero if that is not known.
  var interval: Duration {
    framesPerSecond.map { .nanoseconds(Int64(1_000_000_000 / max($0, 0.001))) } ?? .zero
  }
}
