/// When a frame passed each stage of its way, in nanoseconds of `CLOCK_MONOTONIC`.
///
/// ``received`` is by this machine's clock and all others are by the node's. So ``transport`` and
/// ``total`` are right only where both programs run on one machine.
public struct FrameStages: Hashable, Sendable, Codable {
  /// The driver's timestamp.
  public var exposed: Int64
  /// When the node took it from the driver.
  public var dequeued: Int64
  /// When the node had its own copy.
  public var copied: Int64
  /// When an encoder began; nil when the camera's own bytes are passed through.
  public var encodeStarted: Int64?
  /// When the encoder was done; nil when the camera's own bytes are passed through.
  public var encodeFinished: Int64?
  /// When the node gave it to its socket.
  public var sent: Int64
  /// When it was received.
  public var received: Int64

  /// From the exposure until the node took it: the camera, its cable and its driver.
  public var capture: Duration { .nanoseconds(dequeued - exposed) }
  /// The copy out of the driver's memory.
  public var copy: Duration { .nanoseconds(copied - dequeued) }
  /// The wait for an encoder; nil when there was none.
  public var encodeWait: Duration? { encodeStarted.map { .nanoseconds($0 - copied) } }
  /// The encoding; nil when there was none.
  public var encode: Duration? {
    encodeStarted.flatMap { start in encodeFinished.map { .nanoseconds($0 - start) } }
  }
  /// From the finished picture to the socket.
  public var publish: Duration { .nanoseconds(sent - (encodeFinished ?? copied)) }
  /// Over the bus, until this program received it.
  public var transport: Duration { .nanoseconds(received - sent) }
  /// From the exposure until this program received it.
  public var total: Duration { .nanoseconds(received - exposed) }
}
