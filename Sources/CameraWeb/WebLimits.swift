/// What visitors may take.
package struct WebLimits: Hashable, Sendable {
  /// The most connections.
  package var connections = 1024
  /// The most connections from an address of another machine. A proxy on this machine has no such
  /// limit: it knows its visitors, and the gateway does not.
  package var connectionsByAddress = 64
  /// The most bytes of a request's headers, and of one of them.
  package var headerBytes = 16 << 10
  /// The most headers of a request.
  package var headers = 100
  /// The most bytes of a request's body.
  package var bodyBytes = 64 << 10
  /// How long a connection may be without a whole header, or without a request.
  package var idleTime = Duration.seconds(30)
  /// How long the body of a request may take.
  package var requestTime = Duration.seconds(10)
  /// How long a visitor may take nothing of an answer.
  package var stallTime = Duration.seconds(30)
  /// The most different streams that are shown at the same time.
  package var streams = 64
  /// The most assets that are sent at the same time. Each takes a thread here, and a place on its
  /// node.
  package var downloads = 16

  package init() {}
}
