import ArgumentParser
import CameraClient
import OperatingSystem
import Reports
import Words

/// Prints the status of the node and its cameras.
struct StatusCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows how the node and its cameras are.",
    discussion: """
      With --watch, again whenever a camera's state or the pressure on the machine changes, until Ctrl-C. It follows the node's events and asks \
      nothing, so counters are those of the last change.
      With --check the exit status says whether photos can be taken and kept now, of all cameras or that of --camera: 0 all are ready; \
      2 one is not for the moment, such as while it starts; 3 one is stopped, interrupted or failed, or delivers what no picture can be made of; \
      4 the library cannot keep photos. The largest counts. Other failures have the status of every command. With --quiet nothing else is printed.
      Several nodes (--node more than once, --rig or --all) are shown together. One that cannot be asked is shown with the reason, and its \
      failure is the exit status.
      """
  )

  @OptionGroup var options: NodesOptions

  @Flag(help: "Show it again whenever it changes.") var watch = false

  @Flag(help: "Let the exit status say whether photos can be taken: 0, 2, 3 or 4.")
  var check = false

  func validate() throws {
    if watch, check {
      throw ValidationError("--check looks once, and --watch goes on: leave one out")
    }
  }

  func run() async throws {
    if options.isOne {
      try await options.withBus { try await run(on: $0) }
    } else {
      try await showNodes()
    }
  }

  func run(on bus: CameraBus) async throws {
    if watch { return try await follow(bus) }
    let camera = try options.camera.map { try bus.camera($0) }
    var status = try await bus.status()
    if let camera { status.cameras = [try await camera.status()] }
    if options.json {
      JSONLine.print(status)
    } else if !(check && options.quiet) {
      show(status)
    }
    guard check else { return }
    if status.checkStatus > 0 { throw ExitCode(status.checkStatus) }
  }

  private func follow(_ bus: CameraBus) async throws {
    let events = try options.camera.map { try bus.camera($0).events() } ?? bus.events()
    var node: NodeStatus?
    var isFirst = true
    for try await event in events {
      switch event {
      case .snapshot(let status):
        node = status
      case .event(let event):
        guard node?.take(event) == true else { continue }
      case .disconnected, .nodeRestarted:
        // What follows a restart belongs to another node, of which the snapshot comes first.
        let name = node?.name ?? ""
        if case .nodeRestarted = event { node = nil }
        // The last status stays on the screen above this line.
        if options.json {
          JSONLine.print(EventReport(event))
        } else {
          for line in EventWords(node: name).lines(event) {
            StandardOutput.write(line: line, style: .bad)
          }
        }
        continue
      default: continue
      }
      guard let node else { continue }
      if options.json {
        JSONLine.print(node)
      } else {
        StandardOutput.beginPage(isFirst: isFirst)
        isFirst = false
        show(node)
      }
    }
  }

  private func show(_ node: NodeStatus) {
    let age = node.now.age(of: node.started)
    StandardOutput.write(line: "node \(node.name), version \(node.version), up \(age)")
    StandardOutput.write(line: "events \(node.eventsEndpoint)  frames \(node.framesEndpoint)")
    StandardOutput.write(line: "library \(node.library.words)")
    if let words = node.library.deferredWords { StandardOutput.write(line: words) }
    if let words = node.library.unlistedWords { StandardOutput.write(line: words, style: .warning) }
    if let problem = node.library.quotaProblem {
      StandardOutput.write(line: problem.message, style: .warning)
    }
    StandardOutput.write(line: "wall clock \(node.now.words), \(node.now.clockWords)")
    if let pressure = node.pressure, pressure.level != .nominal {
      StandardOutput.write(
        line: "for \(node.now.age(of: pressure.since)) \(pressure)", style: pressure.level.style)
    }
    if let words = node.pressure?.waiting?.description, !words.isEmpty {
      StandardOutput.write(line: words)
    }
    if let words = node.access.limits { StandardOutput.write(line: words) }
    showLosses(of: node)
    StandardOutput.write(line: "")
    CameraTable.print(node.cameras, at: node.now)
    StandardOutput.write(line: "")
    showStreams(of: node.cameras)
  }

  /// A thread that works so long in one turn lets clients wait.
  private static let longTurn = Duration.seconds(1)

  /// Prints the counters of refused and undelivered messages that are not 0, and long turns.
  private func showLosses(of node: NodeStatus) {
    let losses = [
      (
        node.malformedRequests, "request",
        "refused as unreadable or for a value that is not allowed"
      ),
      (node.busyReplies, "request", "refused because there were too many"),
      (node.undeliverableReplies, "reply", "not taken by the client"),
      (node.eventsDropped, "event", "not taken by a monitor"),
      (node.forbiddenRequests, "request", "refused because of the client's role or cameras"),
      (node.refusedConnections, "connection", "refused for want of an authorized key"),
    ]
    let hangs = node.loops.filter { $0.longestTurn >= Self.longTurn }.map { loop in
      "the thread \(loop.name) hung for \(loop.longestTurn.words)"
    }
    let words = losses.filter { $0.0 > 0 }.map { "\($0.0.counted($0.1)) \($0.2)" } + hangs
    guard !words.isEmpty else { return }
    StandardOutput.write(line: "since its start: \(words.joined(separator: ", "))")
  }

  private func showStreams(of cameras: [CameraStatus]) {
    guard cameras.contains(where: { !$0.streams.isEmpty }) else {
      return StandardOutput.write(line: "no stream was subscribed to: nothing is encoded")
    }
    var table = Table(
      "CAMERA", "STREAM", "SUBSCRIBERS", "ENCODED", "PUBLISHED", "THINNED", "LATE", "SLOW",
      "FAILED")
    for camera in cameras {
      for stream in camera.streams {
        table.add(
          camera.name,
          stream.name,
          "\(stream.subscribers)",
          "\(stream.encoded)",
          "\(stream.published)",
          "\(stream.thinnedByPressure.addingSaturated(stream.thinnedByRate))",
          "\(stream.droppedLate)",
          "\(stream.droppedSlow)",
          "\(stream.encodingFailed)"
        )
      }
    }
    table.print()
    for camera in cameras {
      for stream in camera.streams where stream.subscribers > 0 {
        guard let error = stream.error else { continue }
        StandardOutput.write(line: "\(camera.name) \(stream.name): \(error.message)")
      }
    }
  }
}

extension Readiness {
  /// The exit status of `status --check` for a library that cannot keep photos.
  fileprivate static let storageStatus: Int32 = 4

  /// The exit status of `status --check`, as its help explains.
  fileprivate var checkStatus: Int32 {
    switch self {
    case .ready: 0
    case .notReadyStorageFull, .notReadyStorageFailed: Self.storageStatus
    case .sessionNotRunning, .notReadyUnsupportedFormat: 3
    default: 2
    }
  }
}

extension NodeStatus {
  /// The exit status of `status --check`.
  var checkStatus: Int32 {
    let storage: Int32 = library.error == nil ? 0 : Readiness.storageStatus
    return cameras.map(\.readiness.checkStatus).max().map { max($0, storage) } ?? 0
  }
}

extension KeyAccess {
  /// What the user may do here; nil if that is everything, for ever.
  fileprivate var limits: String? {
    guard role != .controller || cameras != nil || expires != nil else { return nil }
    return "your role is \(role)"
      + (cameras.map { ", for \($0.joined(separator: ", "))" } ?? "")
      + (expires.map { ", until \(WallTime.shortText(nanoseconds: $0.nanoseconds))" } ?? "")
  }
}
