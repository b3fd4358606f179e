import OperatingSystem

/// The ports of a node that is to start, and the ipc sockets of one that ran.
struct SocketChecks {
  let machine: Machine
  let processes: [RunningProcess]

  /// Whether the default ports are free, for when no node answers there.
  func portFindings(_ ports: [UInt16] = [5570, 5571, 5572]) -> [Finding] {
    let listening = listeningSockets()
    let used = ports.compactMap { port in listening[port].map { (port, $0) } }
    guard !used.isEmpty else {
      return [.ok("ports", "\(ports.map { "\($0)" }.joined(separator: ", ")) are free")]
    }
    let nodes = used.filter { process(withSocket: $0.1.inode)?.name == "camerad" }.map(\.0)
    return used.filter { !nodes.dropFirst().contains($0.0) }.map { port, listener in
      let place = listener.address.map { "\($0):\(port)" }
      let holder = process(withSocket: listener.inode)?.words ?? "a program of another user"
      guard !nodes.contains(port) else {
        return .warning(
          "ports", "\(holder) listens at \(place ?? "port \(port)")",
          remedy: "name it with --node tcp://\(place ?? "127.0.0.1:\(port)"); if that is the one "
            + "that does not answer, its log says why")
      }
      return .problem(
        "ports", "port \(port) is in use by \(holder)",
        remedy: (place.map { "if it is a node, name it with --node tcp://\($0); or " } ?? "")
          + "end that program, or start camerad with --control, --events and --frames tcp://127.0.0.1:0"
      )
    }
  }

  /// The process that listens where the node answers; nil if this user may not see it.
  func process(at place: NodePlace) -> RunningProcess? {
    let inode =
      switch place {
      case .tcp(let port): listeningSockets()[port]?.inode
      case .ipc(let path): listeningPaths()[path]
      }
    return inode.flatMap(process)
  }

  private func process(withSocket inode: String) -> RunningProcess? {
    processes.first { $0.openFiles.contains("socket:[\(inode)]") }
  }

  /// Whether something listens on each socket file in the folder of ipc sockets: the node's, or the
  /// usual one.
  func ipcFinding(of node: NodePlace? = nil) -> Finding {
    var folder = "/run/camerabus"
    if case .ipc(let path) = node { folder = Folder.parent(of: path) }
    let found = ["control", "events", "frames"].map { "\(folder)/\($0)" }
      .filter { machine.status(of: $0) != nil }
    guard !found.isEmpty else { return .ok("ipc", "there are no sockets in \(folder)") }
    let listening = listeningPaths()
    if let dead = found.first(where: { listening[$0] == nil }) {
      return .problem(
        "ipc", "no program listens on \(dead), which a node left behind",
        remedy: "start a node with --ipc \(folder), or remove the file")
    }
    if let closed = found.first(where: { !machine.mayUse(machine.root + $0) }) {
      return .problem(
        "ipc", "you may not connect to \(closed)",
        remedy: "ask for write permission on it, or use --node tcp://127.0.0.1:5570")
    }
    return .ok("ipc", "a node listens in \(folder)")
  }

  private struct Listener {
    let inode: String
    /// The IPv4 address, if it is neither loopback nor all addresses.
    let address: String?

    /// - Parameter address: As proc(5) writes it, such as `0A01A8C0:15C2`.
    init(inode: String, address: Substring) {
      self.inode = inode
      let digits = address.prefix { $0 != ":" }
      guard digits.count == 8, let number = UInt32(digits, radix: 16) else {
        self.address = nil
        return
      }
      let bytes = (0..<4).map {
        UInt8(truncatingIfNeeded: UInt32(littleEndian: number) >> (8 * $0))
      }
      let isSpecial = number == 0 || bytes[0] == 127
      self.address = isSpecial ? nil : bytes.map { "\($0)" }.joined(separator: ".")
    }
  }

  /// The TCP sockets that listen, by port (proc(5)).
  private func listeningSockets() -> [UInt16: Listener] {
    var sockets: [UInt16: Listener] = [:]
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      for line in (machine.text(of: table) ?? "").split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        // 0A is the state of a socket that listens.
        guard fields.count > 9, fields[3] == "0A",
          let port = fields[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) })
        else { continue }
        sockets[port] = Listener(inode: String(fields[9]), address: fields[1])
      }
    }
    return sockets
  }

  /// The inodes of the ipc sockets that listen, by path.
  private func listeningPaths() -> [String: String] {
    var sockets: [String: String] = [:]
    for line in (machine.text(of: "/proc/net/unix") ?? "").split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      // This flag (__SO_ACCEPTCON) marks a socket that listens.
      guard fields.count > 7, fields[3] == "00010000" else { continue }
      sockets[String(fields[7])] = String(fields[6])
    }
    return sockets
  }
}
