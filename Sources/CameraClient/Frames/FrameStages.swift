/// When a frame passed each stage of its way.
///
/// ``received`` is by this machine's clock and all others are by the node's. So ``transport`` and
/// ``total`` are right only where both programs run on one machine.
public struct FrameStages: Hashable, Sendable, Codable {
  /// The driver's timestamp.
  public var exposed: MonotonicInstant
  /// When the node took it from the driver.
  public var dequeued: MonotonicInstant
  /// When the node had its own copy.
  public var copied: MonotonicInstant
  /// When an encoder began; nil when the camera's own bytes are passed through.
  public var encodeStarted: MonotonicInstant?
  /// When the encoder was done; nil when the camera's own bytes are passed through.
  public var encodeFinished: MonotonicInstant?
  /// When the node gave it to its socket.
  public var sent: MonotonicInstant
  /// When it was received.
  public var received: MonotonicInstant

  /// From the exposure until the node took it: the camera, its cable and its driver.
  public var capture: Duration { dequeued - exposed }
  /// The copy out of the driver's memory.
  public var copy: Duration { copied - dequeued }
  /// The wait for an encoder; nil when there was none.
  public var encodeWait: Duration? { encodeStarted.map { $0 - copied } }
  /// The encoding; nil when there was none.
  public var encode: Duration? {
    encodeStarted.flatMap { start in encodeFinished.map { $0 - start } }
  }
  /// From the finished picture to the socket.
  public var publish: Duration { sent - (encodeFinished ?? copied) }
  /// Over the bus, until this program received it.
  public var transport: Duration { received - sent }
  /// From the exposure until this program received it.
  public var total: Duration { received - exposed }
}
