import ArgumentParser
import CameraClient
import CameraRig
import Glibc

/// Prints events.
struct EventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Prints what happens on the node, beginning with how it is.",
    discussion: """
      Until Ctrl-C, or --count events. How things are at the beginning is not counted, only what happens. With --camera, of that camera alone. With --history or --since, what happened \
      before comes first, in the order of its time, as far as the node keeps it: a line says from which number on the events of a kind are whole.
      Times are the node's, in UTC. A line between dashes is about the node or the connection to it, with the time of this machine.

      Several nodes (--node more than once, --rig or --all) make one stream in the order of its time, with the node's name. Times are then \
      this machine's, found by the nodes' clocks, with the bound of their error where that is more than a millisecond. Events are held back for a quarter of a second \
      to be put in order; one that comes later says so. A node that is not there is waited for.

      --after goes on where an earlier run has stopped. A node numbers the events of each camera and kind by themselves, from 1 after each start, so a position is \
      EPOCH:CAMERA/KIND=N,..., of the fields `epoch`, `camera`, `type` and `sequence` of --json; `camctl status --json` has one as eventPosition. What it does not name counts as 0. \
      Of several nodes, write NODE=POSITION for each. The node keeps the newest 1024 events of each camera and kind: older ones are said to be lost. After a restart \
      of the node nobody can tell what was lost of the start before; that it has restarted is said, and all that it has published since comes.

      --run starts a program for each event that is shown, with the event as a line of JSON on its standard input, but not for how things are at the beginning. \
      \(EventPrograms.rules).
      """
  )

  @OptionGroup var options: NodesOptions

  @Option(
    help: ArgumentHelp(
      "End after this many events, not counting how things are at the beginning.", valueName: "N"),
    transform: PositiveCount.parse)
  var count: Int?

  @Flag(help: "Begin with what happened before.")
  var history = false

  @Option(
    help: ArgumentHelp(
      "Begin with what happened since then: \(MomentText.forms).",
      valueName: "MOMENT"),
    completion: .ages, transform: MomentText.parse
  )
  var since: WallInstant?

  @Option(
    name: .customLong("after"),
    help: ArgumentHelp(
      "Begin behind a position: \(PositionText.form); of several nodes, repeatable.",
      valueName: "POSITION"),
    transform: PositionText.init)
  var positions: [PositionText] = []

  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp(
      "Only these: \(EventFilter.kinds.map(\.rawValue).joined(separator: ", ")); repeatable.",
      valueName: "KIND"),
    completion: .list(EventFilter.kinds.map(\.rawValue)), transform: EventFilter.kind
  )
  var kinds: [CameraEvent.Kind] = []

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Start this command for each event, with its JSON as standard input.", valueName: "COMMAND")
  )
  var program: String?

  private var hasHistory: Bool { history || since != nil }

  func validate() throws {
    if !positions.isEmpty, hasHistory {
      throw ValidationError(
        "--after says where to begin, and so does \(history ? "--history" : "--since"): leave one out"
      )
    }
    if program?.isEmpty == true {
      throw ValidationError("--run is empty: name a command, such as --run 'logger -t cameras'")
    }
    if options.isOne, positions.count > 1 || positions.first?.node != nil {
      throw ValidationError("of one node --after takes one position: \(PositionText.form)")
    }
    if !options.isOne, let position = positions.first(where: { $0.node == nil }) {
      throw ValidationError(
        "of several nodes --after needs the node's name: NODE=\(position.position)")
    }
    let named = positions.compactMap(\.node)
    if Set(named).count < named.count {
      throw ValidationError("--after names a node twice: leave one out")
    }
  }

  func run() async throws {
    try await EventPrograms.running(program) { programs in
      if options.isOne {
        try await options.withBus { try await print(eventsOf: $0, programs) }
      } else {
        try await printAll(programs)
      }
    }
  }

  private var filter: EventFilter { EventFilter(kinds: Set(kinds), since: since) }

  private func print(eventsOf bus: CameraBus, _ programs: EventPrograms?) async throws {
    let camera = try options.camera.map { try bus.camera($0) }
    let events =
      if let position = positions.first?.position {
        camera?.events(after: position) ?? bus.events(after: position)
      } else {
        camera?.events(includingHistory: hasHistory) ?? bus.events(includingHistory: hasHistory)
      }
    var printer = EventPrinter(
      filter, of: try await bus.status().name,
      limit: count ?? .max, hasHistory: hasHistory, asJSON: options.json, programs)
    defer { printer.printPast() }
    for try await event in events {
      if case .snapshot(let node) = event { try requireEvents(for: node.access) }
      printer.take(event)
      if printer.isDone { return }
    }
  }

  private func printAll(_ programs: EventPrograms?) async throws {
    let nodes = try options.connections()
    let positions = Dictionary(
      positions.map { ($0.node ?? "", $0.position) }, uniquingKeysWith: { first, _ in first })
    let monitor = MonitorOptions(
      includesHistory: hasHistory, positions: positions, configuration: options.configuration)
    var printer = MonitorPrinter(
      filter, camera: options.camera, nodes: nodes.map(\.name), limit: count ?? .max,
      hasHistory: hasHistory, asJSON: options.json, programs)
    do {
      try await withMonitor(of: nodes, options: monitor) { feed in
        for try await event in feed {
          if case .node(.snapshot(let node)) = event.body { try requireEvents(for: node.access) }
          printer.take(event)
          if printer.isDone { return }
        }
      }
    } catch let error as CameraBusError where error.code == .invalidArgument {
      throw CommandFailure.usage(error.message)
    }
  }

  /// What is asked for may never come.
  private func requireEvents(for access: KeyAccess) throws(CommandFailure) {
    let wanted = Set(kinds)
    guard let cameras = access.cameras, !wanted.isEmpty,
      wanted.isSubset(of: [.keys, .devices, .pressure])
    else { return }
    throw CommandFailure(
      code: "forbidden",
      message:
        "your key is for \(cameras.joined(separator: ", ")), and events of kind \(wanted.map(\.rawValue).sorted().joined(separator: " and ")) come to keys for all cameras: "
        + "ask the node's owner",
      status: EX_NOPERM)
  }
}
