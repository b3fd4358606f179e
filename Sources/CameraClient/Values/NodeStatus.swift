/// All that a node says of itself and its cameras, at one moment.
public struct NodeStatus: Hashable, Sendable, Codable {
  /// What the node calls itself.
  public var name: String
  /// The version of its software.
  public var version: String
  /// Random for each start of the node.
  public var epoch: Identifier
  /// The moment.
  public var now: Timestamp
  /// When it started, on its `CLOCK_MONOTONIC`.
  public var startedMonotonicNanoseconds: Int64
  /// Where it publishes events.
  public var eventsEndpoint: String
  /// Where it publishes frames.
  public var framesEndpoint: String
  /// Its cameras, or the one that was asked for.
  public var cameras: [CameraStatus]
  /// Requests that it refused since its start because it could not read them.
  public var malformedRequests: UInt64
  /// Requests that it refused since its start because it had too many.
  public var busyReplies: UInt64
  /// Replies that it dropped since its start, because their client was gone or too slow.
  public var undeliverableReplies: UInt64
  /// Events that at least one monitor was too slow for since its start; monitors get them by asking
  /// again.
  public var eventsDropped: UInt64
  /// The folder, on the node's machine, that photos and movies are kept in.
  public var library: String
}
