import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import OperatingSystem
import Words

extension RigCommand {
  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Prints how the rig's nodes, clocks and cameras are, and who is in the way.",
      discussion: """
        PHASE is how much later a camera's frames come than those of the first one, by their timestamps, and DRIFT how \
        fast that grows, in microseconds a second; both are not known with --watch. It ends with 75 if a camera cannot take a picture now. With --watch, again whenever a node or a camera changes, \
        until Ctrl-C. It follows the nodes' events, and waits for nodes that are not there; a clock is as of the \
        node's last event.
        """)

    @OptionGroup var rig: Options

    @Flag(help: "Show it again whenever it changes.") var watch = false

    func run() async throws {
      if watch { return try await rig.withRig { try await follow($0) } }
      let (nodes, description) = try await rig.withRig { (await $0.status(), $0.description) }
      if rig.json { for node in nodes { JSONLine.print(node) } }
      let readiness = RigReadiness(nodes, of: description)
      if !rig.json { Self.print(nodes, readiness) }
      if !readiness.isReady { throw ExitCode(EX_TEMPFAIL) }
    }

    private func follow(_ rig: Rig) async throws {
      var board = NodeBoard(rig.description.nodes.map(\.name))
      var clocks: [String: ClockOffset] = [:]
      var isFirst = true
      for try await event in try rig.events(MonitorOptions(window: .zero)) {
        clocks[event.node] = event.clock ?? clocks[event.node]
        if case .clockChanged = event.body { clocks[event.node] = nil }
        guard let changed = board.take(event) else { continue }
        if self.rig.json {
          JSONLine.print(RigNodeStatus(changed, clocks[event.node]))
          continue
        }
        // A node of which nothing is known yet is not in the way.
        let nodes = board.shown.map { RigNodeStatus($0, clocks[$0.name]) }
        let known = Set(nodes.map(\.name))
        let missing = rig.description.nodes.map(\.name).filter { !known.contains($0) }
        StandardOutput.beginPage(isFirst: isFirst)
        isFirst = false
        Self.print(nodes, RigReadiness(nodes, of: rig.description), missing: missing)
      }
    }

    /// - Parameter missing: The nodes of which nothing is known yet.
    private static func print(
      _ nodes: [RigNodeStatus], _ readiness: RigReadiness, missing: [String] = []
    ) {
      var table = Table("NODE", "CAMERA", "READINESS", "FORMAT", "PHASE", "DRIFT", "CLOCK AHEAD")
      for node in nodes {
        for camera in node.status?.cameras ?? [] {
          let phase = node.phases.first { $0.camera == camera.name }
          table.add(
            node.name, camera.name,
            Table.Cell(
              text: camera.readiness.words, style: camera.readiness == .ready ? .good : .bad),
            camera.format?.words ?? "", phase?.phase.words ?? "",
            phase?.drift.partsPerMillion ?? "", node.clock?.words ?? "")
        }
        for obstacle in readiness.obstacles where obstacle.node == node.name {
          guard let problem = obstacle.problem else { continue }
          table.add(
            node.name, obstacle.camera ?? "", problem.code.rawValue.styled(.bad), "", "", "", "")
        }
      }
      table.print()
      for obstacle in readiness.obstacles where obstacle.problem != nil {
        StandardOutput.write(line: obstacle.description, style: .bad)
      }
      guard missing.isEmpty else {
        return StandardOutput.write(
          line: "nothing is known yet of \(missing.joined(separator: ", "))", style: .faint)
      }
      let names = readiness.obstacles.map { $0.camera ?? $0.node }
      StandardOutput.write(
        line: names.isEmpty
          ? "all cameras are ready" : "in the way: \(names.joined(separator: ", "))",
        style: names.isEmpty ? .good : .bad)
    }
  }
}

extension RigNodeStatus {
  fileprivate init(_ entry: NodeTables.Entry, _ clock: ClockOffset?) {
    switch entry.status {
    case .success(let status): self.init(name: entry.name, status: status, clock: clock)
    case .failure(let error): self.init(name: entry.name, problem: Problem(error))
    }
  }
}

extension MonitorEvent {
  /// How far the node's clock is ahead, as its own time of the event and the estimated one prove.
  fileprivate var clock: ClockOffset? {
    guard let error = time.error, case .node(let own) = body else { return nil }
    let moment: MonotonicInstant
    switch own {
    case .snapshot(let status): moment = status.now.monotonic
    case .event(let event): moment = event.time.monotonic
    default: return nil
    }
    let ahead = moment - time.moment
    return ClockOffset(least: ahead - error, most: ahead + error)
  }
}

extension ClockOffset {
  /// "1.25 s, off by at most 0.12 ms"; "none" for this machine's clock.
  var words: String {
    if least == .zero, most == .zero { return "not at all: it is this machine's clock" }
    return
      "\(middle < .zero ? "-" : "")\(max(middle, .zero - middle).words), off by at most \(error.words)"
  }
}
