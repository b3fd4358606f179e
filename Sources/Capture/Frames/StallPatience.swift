/// How long a camera may be silent before it counts as stalled.
///
/// Some cameras need seconds for their first frame, and an exposure of seconds gives no frame while
/// it lasts. A camera that was started in vain gets more time at each further try.
struct StallPatience: Hashable {
  private static let shortest = Duration.seconds(2)
  private static let start = Duration.seconds(5)
  private static let longestStart = Duration.seconds(40)
  /// Key pictures of a video are hardly farther apart.
  private static let longestKeyInterval = Duration.seconds(10)
  /// No camera exposes longer, or has a longer interval.
  private static let longestWait = Duration.seconds(3600)

  /// Between two frames of the stream's rate.
  var interval: Duration
  /// The exposure time that the camera has; nil if it is not known.
  var exposure: Duration?
  /// How often the camera was started in vain before.
  var tries = 0
  /// Whether frames come that are of no use until the camera's video has a key picture.
  var awaitsKey = false

  /// The longest silence between two frames: eight frames, or three exposures, and at least two
  /// seconds; more if a key picture is awaited.
  var betweenFrames: Duration {
    let exposure = min(max(.zero, exposure ?? .zero), Self.longestWait)
    let interval = min(max(.zero, interval), Self.longestWait)
    return max(
      Self.shortest + exposure * 3, interval * 8, awaitsKey ? Self.longestKeyInterval : .zero)
  }

  /// The longest silence before the first frame.
  var beforeFirst: Duration {
    max(betweenFrames, min(Self.longestStart, Self.start * (1 << min(max(0, tries), 8))))
  }
}

/// A camera streams but delivers no good frame.
package struct Stall: Hashable, Sendable {
  /// The time without a good frame.
  package var silence: Duration
  /// Bad frames during that time.
  package var flawed: Int
}

extension CaptureError {
  init(_ stall: Stall) {
    let seconds = stall.silence.components.seconds
    let what =
      switch stall.flawed {
      case 0: "the camera gave no frame for \(seconds) s"
      case 1: "the camera gave one frame in \(seconds) s, and that was bad"
      default: "all \(stall.flawed) frames that the camera gave in \(seconds) s were bad"
      }
    self.init(.deviceStalled, "\(what): it is started again")
  }
}
