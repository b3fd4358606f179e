/// How long a camera may be silent before it counts as stalled. All values are in nanoseconds.
///
/// Some cameras need seconds for their first frame, and an exposure of seconds gives no frame while
/// it lasts. A camera that was started in vain gets more time at each further try.
struct StallPatience: Hashable {
  private static let shortest: Int64 = 2_000_000_000
  private static let start: Int64 = 5_000_000_000
  private static let longestStart: Int64 = 40_000_000_000
  /// No camera exposes longer, or has a longer interval.
  private static let longestWait: Int64 = 3_600_000_000_000

  /// Between two frames of the stream's rate.
  var interval: Int64
  /// The exposure time that the camera has; nil if it is not known.
  var exposure: Int64?
  /// How often the camera was started in vain before.
  var tries = 0

  /// The longest silence between two frames: eight frames, or three exposures, and at least two
  /// seconds.
  var betweenFrames: Int64 {
    let exposure = min(max(0, exposure ?? 0), Self.longestWait)
    let interval = min(max(0, interval), Self.longestWait)
    return max(Self.shortest + 3 * exposure, 8 * interval)
  }

  /// The longest silence before the first frame.
  var beforeFirst: Int64 {
    max(betweenFrames, min(Self.longestStart, Self.start << Int64(min(max(0, tries), 8))))
  }
}

/// A camera streams but delivers no good frame.
package struct Stall: Hashable, Sendable {
  /// Nanoseconds without a good frame.
  package var silence: Int64
  /// Bad frames during that time.
  package var flawed: Int
}

extension CaptureError {
  init(_ stall: Stall) {
    let seconds = stall.silence / 1_000_000_000
    let what =
      switch stall.flawed {
      case 0: "the camera gave no frame for \(seconds) s"
      case 1: "the camera gave one frame in \(seconds) s, and that was bad"
      default: "all \(stall.flawed) frames that the camera gave in \(seconds) s were bad"
      }
    self.init(.deviceStalled, "\(what): it is started again")
  }
}
