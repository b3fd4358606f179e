import ArgumentParser
import CameraClient
import Glibc

/// Prints events.
struct EventsCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Prints what happens on the node, beginning with how it is.",
    discussion: """
      Until Ctrl-C, or --count events. How things are at the beginning is not counted, only what happens. With --camera, of that camera alone. With --history or --since, what happened \
      before comes first, in the order of its time, as far as the node keeps it: a line says from which number on the events of a kind are whole.
      Times are the node's, in UTC. A line between dashes is about the node or the connection to it, with the time of this machine.
      """
  )

  @OptionGroup var options: BusOptions

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
    name: .customLong("kind"),
    help: ArgumentHelp(
      "Only these: \(EventFilter.kinds.map(\.rawValue).joined(separator: ", ")); repeatable.",
      valueName: "KIND"),
    completion: .list(EventFilter.kinds.map(\.rawValue)), transform: EventFilter.kind
  )
  var kinds: [CameraEvent.Kind] = []

  func run(on bus: CameraBus) async throws {
    let hasHistory = history || since != nil
    let events =
      try options.camera.map { try bus.camera($0).events(includingHistory: hasHistory) }
      ?? bus.events(includingHistory: hasHistory)
    var printer = EventPrinter(
      EventFilter(kinds: Set(kinds), since: since), of: try await bus.status().name,
      limit: count ?? .max, hasHistory: hasHistory, asJSON: options.json)
    defer { printer.printPast() }
    for try await event in events {
      if case .snapshot(let node) = event { try requireEvents(for: node.access) }
      printer.take(event)
      if printer.isDone { return }
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
