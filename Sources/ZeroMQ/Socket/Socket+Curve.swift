import CZeroMQ
import Glibc
import OperatingSystem

extension Socket {
  /// Encrypts all connections as a server. Call it before `bind`.
  ///
  /// Clients must know the server's public key. Every such client is accepted, unless the socket
  /// requires more: see ``requireAdmission(to:)``.
  /// - Throws: `curveUnavailable` when the installed libzmq has no CURVE.
  public func encrypt(asServer keys: CurveKeyPair) throws(ZeroMQError) {
    try core.call("encrypt") { raw throws(SystemError) in
      try requireCurve()
      try raw.setOption(ZMQ_CURVE_SERVER, Int32(1))
      try raw.setOption(ZMQ_CURVE_SECRETKEY, keys.secretKey.bytes)
    }
  }

  /// Does not encrypt connections of endpoints that are bound from now on.
  public func stopEncrypting() throws(ZeroMQError) {
    try core.call("encrypt") { raw throws(SystemError) in
      try raw.setOption(ZMQ_CURVE_SERVER, Int32(0))
    }
  }

  /// Encrypts all connections as a client of the server with that public key. Call it before
  /// `connect`.
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

extension Socket {
  /// Admits only the peers that the context's ``ZAPHandler`` admits; without a handler, nobody.
  /// Call it before `bind`.
  ///
  /// - Parameter domain: Tells the handler which socket a peer wants.
  /// - Precondition: The domain is not empty, because libzmq admits everybody to that one.
  public func requireAdmission(to domain: String) throws(ZeroMQError) {
    precondition(!domain.isEmpty, "the empty domain would admit everybody")
    try core.call("require admission") { raw throws(SystemError) in
      try raw.setOption(ZMQ_ZAP_DOMAIN, Array(domain.utf8))
      // Without this, libzmq admits everybody when there is no handler.
      try raw.setOption(ZMQ_ZAP_ENFORCE_DOMAIN, Int32(1))
    }
  }
}
