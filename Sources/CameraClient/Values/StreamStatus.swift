/// One named stream of a camera's frames.
///
/// Counters begin with the node's start.
public struct StreamStatus: Hashable, Sendable, Codable {
  /// "preview", "full", "raw" or a size such as "320x240".
  public var name: String
  /// How many subscribers it has.
  public var subscribers: Int
  /// Frames that an encoder made for it; a frame passed through is published, not encoded.
  public var encoded: UInt64
  /// Frames published on it.
  public var published: UInt64
  /// Frames that came while every encoder was busy, and were dropped.
  public var droppedLate: UInt64
  /// Frames that were dropped for at least one subscriber because it was too slow. The others got
  /// them.
  public var droppedSlow: UInt64
  /// Frames that an encoder could not make a JPEG of; 0 from a node that does not count them.
  public var encodingFailed: UInt64
  /// Frames that were left out because of the pressure on the machine:
  /// ``SystemPressure/thinning``. Asked for or not, they are no losses: the stream's numbers have
  /// no gaps.
  public var thinnedByPressure: UInt64 = 0
  /// Frames that were left out to keep to the stream's own rate: ``StreamSettings/maximumRate``.
  public var thinnedByRate: UInt64 = 0
  /// Why nothing is published on it: no JPEG can be made of the camera's format, too many sizes are
  /// subscribed to, or it is switched off (`conflict`). Nil if it is published.
  public var error: Problem?
}
