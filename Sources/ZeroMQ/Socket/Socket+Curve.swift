import CZeroMQ
import EventLoop
import Glibc

extension Socket {
  /// Encrypts all connections, as the side that clients know by its public key. Call it before `bind`.
  ///
  /// It keeps out whoever does not know that key or does not encrypt. Which of the others may come is for a ZAP
  /// handler to say: without one, all of them.
  /// - Throws: `curveUnavailable` when the installed libzmq has no CURVE.
  public func encrypt(asServer keys: CurveKeyPair) throws(ZeroMQError) {
    try core.call("encrypt") { raw throws(SystemError) in
      try requireCurve()
      try raw.setOption(ZMQ_CURVE_SERVER, Int32(1))
      try raw.setOption(ZMQ_CURVE_SECRETKEY, keys.secretKey.bytes)
    }
  }

  /// Encrypts all connections, as a client of the server with that public key and of no other. Call it before `connect`.
  ///
  /// - Throws: `curveUnavailable` when the installed libzmq has no CURVE.
  public func encrypt(
    asClient keys: CurveKeyPair,
    of server: CurvePublicKey
  ) throws(ZeroMQError) {
    try core.call("encrypt") { raw throws(SystemError) in
      try requireCurve()
      try raw.setOption(ZMQ_CURVE_SERVERKEY, server.bytes)
      try raw.setOption(ZMQ_CURVE_PUBLICKEY, keys.publicKey.bytes)
      try raw.setOption(ZMQ_CURVE_SECRETKEY, keys.secretKey.bytes)
    }
  }
}

private func requireCurve() throws(SystemError) {
  guard unsafe zmq_has("curve") == 1 else {
    throw SystemError(errno: ENOTSUP, operation: "encrypt")
  }
}
