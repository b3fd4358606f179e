/// How much and how long a node holds for clients that lag behind. The protocol names these numbers; tests make them small.
struct NodeLimits: Sendable {
  /// Events that wait for one slow subscriber before libzmq drops the next for it.
  var eventQueueLength = 10_000
}
