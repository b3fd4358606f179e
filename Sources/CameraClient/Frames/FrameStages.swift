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
  public var capture: Duration { .between(exposed, dequeued) }
  /// The copy out of the driver's memory.
  public var copy: Duration { .between(dequeued, copied) }
  /// The wait for an encoder; nil when there was none.
  public var encodeWait: Duration? { encodeStarted.map { .between(copied, $0) } }
  /// The encoding; nil when there was none.
  public var encode: Duration? {
    encodeStarted.flatMap { start in encodeFinished.map { .between(start, $0) } }
  }
  /// From the finished picture to the socket.
  public var publish: Duration { .between(encodeFinished ?? copied, sent) }
  /// Over the bus, until this program received it.
  public var transport: Duration { .between(sent, received) }
  /// From the exposure until this program received it.
  public var total: Duration { .between(exposed, received) }
}

extension Duration {
  /// A node may send any number, and `Duration` has room for the difference of any two.
  fileprivate static func between(_ start: Int64, _ end: Int64) -> Duration {
    .nanoseconds(end) - .nanoseconds(start)
  }
}
