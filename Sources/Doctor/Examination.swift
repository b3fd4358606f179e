/// Everything about this machine that a camera node needs.
package struct Examination {
  private let machine: Machine
  private let library: String
  private let hasNode: Bool

  /// - Parameters:
  ///   - library: The folder of photos and movies.
  ///   - hasNode: Whether a node answers, so that the ports and the library are its own.
  package init(_ machine: Machine = Machine(), library: String, hasNode: Bool) {
    self.machine = machine
    self.library = library
    self.hasNode = hasNode
  }

  package func findings() -> [Finding] {
    let processes = machine.processes()
    let sockets = SocketChecks(machine: machine, processes: processes)
    return DeviceChecks(machine, processes: processes).findings
      + [DiskCheck(machine: machine, library: library, isInUse: hasNode).finding]
      + (hasNode ? [] : sockets.portFindings()) + [sockets.ipcFinding()]
      + [ClockCheck(keepers: machine.clockKeepers()).finding]
      + LimitChecks(machine: machine, processes: processes).findings
  }
}
