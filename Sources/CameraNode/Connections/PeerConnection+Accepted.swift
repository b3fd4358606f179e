import CConnections
import ZeroMQ

extension Message {
  /// The connection over which a client sent the message; nil if it has ended.
  ///
  /// libzmq tells only its descriptor, which another socket of the process may have by now. Only a
  /// connection that was accepted counts, and none of these gets a number that another one had
  /// shortly before.
  var acceptedConnection: PeerConnection? {
    guard let connection, connection.listener != nil else { return nil }
    return connection
  }
}

extension PeerConnection {
  /// The bytes that libzmq has received over this connection since its handshake, without pings;
  /// nil when another one has its descriptor.
  var receivedByteCount: UInt64? {
    UInt64(exactly: CConnections_received(descriptor, cookie))
  }

  /// The node has read this many of the bytes.
  func hasRead(_ byteCount: UInt64) { CConnections_read(descriptor, cookie, byteCount) }

  /// The socket that accepted this connection; nil when another one has its descriptor.
  var listener: Int32? {
    let listener = CConnections_listener(descriptor, cookie)
    return listener >= 0 ? listener : nil
  }

  /// Ends the connection. libzmq receives nothing more over it.
  /// - Returns: Whether it had not been ended before.
  func end() -> Bool {
    // Over ipc the system would let libzmq read what has arrived, which may take 32 times as much
    // memory there.
    guard CConnections_end(descriptor, cookie) != 0 else { return false }
    shutDown()
    return true
  }
}
