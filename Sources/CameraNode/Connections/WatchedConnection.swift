import ZeroMQ

/// A connection as the table of connections sees it: distinct from every other before and after it,
/// although the system gives its descriptor to the next.
protocol WatchedConnection: Hashable, Sendable {
  var descriptor: Int32 { get }
}

extension PeerConnection: WatchedConnection {}
