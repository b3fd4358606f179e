import CameraClient
import OperatingSystem

/// What must be added to a moment of this machine's monotonic clock to get the same moment of a
/// node's: at least, and at most.
public struct ClockOffset: Hashable, Sendable, Codable {
  /// It is at least this.
  public var least: Duration
  /// It is at most this.
  public var most: Duration

  private enum CodingKeys: String, CodingKey {
    case least = "leastNanoseconds"
    case most = "mostNanoseconds"
  }

  /// An offset between two durations.
  public init(least: Duration, most: Duration) {
    self.least = least
    self.most = most
  }

  /// The middle of both, rounded down to nanoseconds.
  public var middle: Duration {
    .nanoseconds(least.wholeNanoseconds) + .nanoseconds((most - least).wholeNanoseconds / 2)
  }

  /// How wrong ``middle`` may be.
  public var error: Duration { most - middle }
}
