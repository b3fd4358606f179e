import CConnections
import ZeroMQ

extension PeerConnection {
  /// The bytes that libzmq has received over this connection since it began; nil when another one
  /// has its descriptor.
  var receivedByteCount: UInt64? {
    UInt64(exactly: CConnections_received(descriptor, cookie))
  }
}
