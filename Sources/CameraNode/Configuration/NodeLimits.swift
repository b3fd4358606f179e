/// How much and how long a node holds for clients that lag behind. The protocol names these
/// numbers; tests make them small.
struct NodeLimits: Sendable {
  /// Events that wait for one slow subscriber before libzmq drops the next for it.
  var eventQueueLength = 10_000
  /// Bytes of replies that wait for one client before the next is dropped.
  var unsentByteCount = 32 << 20
  var requests = RequestMemory.Limits()
  /// How long a download waits for its client.
  var downloadPatience = Duration.seconds(60)
}
