import OperatingSystem

/// Frames of a stream that its reader did not get, by the place of the loss, counted from the first
/// received frame.
public struct LossCounters: Hashable, Sendable, Codable {
  /// Frames of the camera that the node did not publish on the stream: lost by the camera, damaged,
  /// left out to keep to a rate, or dropped because every encoder was busy.
  /// ``CameraStatus/frames`` and ``CameraStatus/streams`` say which.
  public var notPublished: UInt64 = 0
  /// Frames that were published and lost on the bus, because the network or this machine was too
  /// slow.
  public var lostOnBus: UInt64 = 0
  /// Frames that were received and then dropped for newer ones, by the ``FramePolicy``.
  public var droppedByClient: UInt64 = 0

  /// Nothing lost.
  public init() {}

  /// All of them.
  public var total: UInt64 {
    notPublished.addingSaturated(lostOnBus).addingSaturated(droppedByClient)
  }
}
