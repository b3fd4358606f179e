import ZeroMQ

/// Binds the node's sockets so that each lets in only the peers that may use it.
struct Doors: Sendable {
  /// The node's own keys; nil for a node without keys, which lets everybody in over tcp.
  let keys: CurveKeyPair?
  let list: AccessList

  /// - Parameters:
  ///   - domain: What the socket gives access to over tcp.
  ///   - ipc: The endpoint on the same machine, if there is one.
  /// - Returns: The endpoint with wildcards resolved.
  func bind(
    _ socket: Socket<some SocketRole>, _ endpoint: String, ipc: String?, _ domain: AccessDomain
  ) throws(ZeroMQError) -> String {
    let isFile = endpoint.hasPrefix("ipc://")
    if !isFile, let keys {
      try socket.encrypt(asServer: keys)
      try socket.requireAdmission(to: domain.name)
    }
    if isFile { try judgeUsers(of: socket) }
    socket.isIPv6Enabled = endpoint.hasPrefix("tcp://[")
    let bound = try socket.bind(endpoint)
    if let ipc {
      try judgeUsers(of: socket)
      _ = try socket.bind(ipc)
    }
    return bound
  }

  /// The kernel tells which user a peer over ipc is, so nothing is encrypted.
  private func judgeUsers(of socket: Socket<some SocketRole>) throws(ZeroMQError) {
    if keys != nil { try socket.stopEncrypting() }
    try socket.requireAdmission(to: AccessDomain.ipc.name)
  }
}
