import CConnections
import ZeroMQ

extension Message {
  /// The connection over which a client sent the message; nil if it has ended.
  ///
  /// libzmq tells only the connection's descriptor. If the connection has ended, another socket of
  /// the process may have that number, so this asks whether the socket is one that was accepted. It
  /// is then the client's: no accepted connection gets the number of one that ended shortly before.
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
