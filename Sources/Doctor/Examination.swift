/// Everything about this machine that a camera node needs.
package struct Examination {
  private let machine: Machine
  private let library: String
  private let node: NodePlace?
  private let isLibraryOfNode: Bool
  private let needsDevices: Bool
  private let nodeKnowsClock: Bool?

  /// - Parameters:
  ///   - library: The folder of photos and movies.
  ///   - node: Where a node answers, so that the ports are its own.
  ///   - isLibraryOfNode: Whether the library is its own too.
  ///   - needsDevices: Whether there should be devices in /dev; false for a node whose cameras need
  ///     none.
  ///   - nodeKnowsClock: Whether that node knows a bound of the wall clock's error; nil without
  ///     such a node.
  package init(
    _ machine: Machine = Machine(), library: String, node: NodePlace?, isLibraryOfNode: Bool = true,
    needsDevices: Bool = true, nodeKnowsClock: Bool? = nil
  ) {
    self.machine = machine
    self.library = library
    self.node = node
    self.isLibraryOfNode = isLibraryOfNode
    self.needsDevices = needsDevices
    self.nodeKnowsClock = nodeKnowsClock
  }

  package func findings() -> [Finding] {
    let processes = machine.processes()
    let sockets = SocketChecks(machine: machine, processes: processes)
    return DeviceChecks(machine, processes: processes, areNeeded: needsDevices).findings
      + [
        DiskCheck(machine: machine, library: library, isInUse: node != nil && isLibraryOfNode)
          .finding
      ]
      + (node == nil ? sockets.portFindings() : []) + [sockets.ipcFinding(of: node)]
      + [ClockCheck(keepers: machine.clockKeepers(), nodeKnowsBound: nodeKnowsClock).finding]
      + LimitChecks(machine: machine, node: node.flatMap(sockets.process) ?? onlyNode(processes))
      .findings
  }

  /// This user may not see the sockets of other users' processes. If there is one node, it is the
  /// one.
  private func onlyNode(_ processes: [RunningProcess]) -> RunningProcess? {
    let nodes = processes.filter { $0.name == "camerad" }
    return nodes.count == 1 ? nodes.first : nil
  }
}

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
