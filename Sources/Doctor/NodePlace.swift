/// Where a node on this machine answers.
package enum NodePlace: Hashable, Sendable {
  case tcp(port: UInt16)
  case ipc(path: String)

  /// - Parameter endpoint: What a client connects to.
  /// - Returns: Nil for an endpoint on another machine.
  package init?(endpoint: String) {
    if endpoint.hasPrefix("ipc://") {
      self = .ipc(path: String(endpoint.dropFirst(6)))
    } else if ["127.", "localhost:", "[::1]:"].contains(where: { endpoint.hasPrefix("tcp://\($0)") }
    ),
      let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) })
    {
      self = .tcp(port: port)
    } else {
      return nil
    }
  }
}
