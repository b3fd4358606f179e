/// When a frame passed the stages of its way, in nanoseconds of `CLOCK_MONOTONIC`.
///
/// All but ``received`` are of the node's clock. That one is of the reader's, so ``transport`` and
/// ``total`` mean something only where both are on one machine.
public struct FrameStages: Hashable, Sendable, Codable {
  /// The driver's timestamp.
  public var exposed: Int64
  /// The node took it from the driver.
  public var dequeued: Int64
  /// The node had its own copy.
  public var copied: Int64
  /// An encoder began; nil when the camera's own bytes are passed through.
  public var encodeStarted: Int64?
  /// The encoder was done; nil when the camera's own bytes are passed through.
  public var encodeFinished: Int64?
  /// The node gave it to its socket.
  public var sent: Int64
  /// It was here.
  public var received: Int64

  /// From the exposure until the node had it: the camera, its cable, its driver.
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
  /// Over the bus, up to this program.
  public var transport: Duration { .nanoseconds(received - sent) }
  /// From the exposure up to this program.
  public var total: Duration { .nanoseconds(received - exposed) }
}
