import ZeroMQ

/// What the socket of one endpoint tells the watch of connections.
struct EndpointWatch: Sendable {
  private let endpoint: WatchedEndpoint
  private let group: UInt32
  private let monitor: ConnectionMonitor
  private let watch: ConnectionWatch

  init(
    _ endpoint: WatchedEndpoint, _ group: UInt32, _ monitor: ConnectionMonitor,
    _ watch: ConnectionWatch
  ) {
    self.endpoint = endpoint
    self.group = group
    self.monitor = monitor
    self.watch = watch
  }

  /// Call it before the socket is bound.
  func begin(_ socket: Socket<some ReceivingRole>) throws(ZeroMQError) {
    socket.handshakeTimeout = ConnectionLimits.handshakeTimeout
    socket.receiveBufferSize = ConnectionLimits.receiveBufferSize
    try socket.report(to: monitor)
  }

  /// The node has read a message.
  /// - Parameters:
  ///   - parts: The parts that came over the wire.
  ///   - connection: Over which they came; nil if it has ended.
  func read(_ parts: ArraySlice<Message>, of connection: PeerConnection?) {
    watch.read(parts, of: connection, at: endpoint, group)
  }

  /// - Parameter handler: Called on the watch's thread for each connection that has ended.
  func onEnd(_ handler: @escaping @Sendable (PeerConnection) -> Void) {
    watch.onEnd(at: endpoint, handler)
  }

  /// Whether the peer may still subscribe: it may have lost its access since its handshake.
  func admits(subscriber user: String?) -> Bool { watch.access.access(of: user) != nil }

  func end(_ connection: PeerConnection, _ reason: EndedConnectionLog.Reason) {
    watch.end(connection, reason)
  }

  /// Ends the connections that take nothing of what is sent to them. Can be called again and again.
  func endStalled() { watch.endStalled(at: endpoint) }

  /// Gives freed memory back to the system soon. Can be called again and again, on any thread.
  func trimMemory() { watch.trimMemory() }

  /// The node has read every whole message.
  func hasReadAll() { watch.hasRead(all: endpoint, group) }
}
