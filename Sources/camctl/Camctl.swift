import ArgumentParser
import CameraClient
import CameraProtocol

/// The command line of CameraBus.
@main
struct Camctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "camctl",
    abstract: "Looks at and drives the cameras of a CameraBus node.",
    discussion: """
      The node is the one at tcp://127.0.0.1:5570, unless --node or CAMERABUS_NODE names another.
      A node with one camera needs no --camera.

      Exit status: 0 done; 64 wrong usage; 69 no node answers; 75 worth trying again; 1 any other failure;
      130 interrupted. An error is one line on stderr.
      """,
    version: "camctl \(Release.version)",
    subcommands: [
      StatusCommand.self, CamerasCommand.self, FormatsCommand.self, WatchCommand.self,
      EventsCommand.self, CaptureCommand.self, RecordCommand.self, ControlsCommand.self,
      SessionCommand.self, DownloadCommand.self, CompletionCommand.self, JSONCommand.self,
    ]
  )

  /// The arguments of the command line, in an order that the parser understands.
  static let arguments = CommonOptions.last(Array(CommandLine.arguments.dropFirst()))

  static func main() async {
    var wantsJSON = CommandLine.arguments.contains("--json")
    do {
      var command = try await asyncParseAsRoot(arguments)
      if let bus = command as? any BusCommand { wantsJSON = bus.options.json }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      CommandFailure(error).exit(asJSON: wantsJSON)
    }
  }
}

/// A command that talks to a node.
protocol BusCommand: AsyncParsableCommand {
  var options: BusOptions { get }
  func run(on bus: CameraBus) async throws
}

extension BusCommand {
  func run() async throws {
    try await options.withBus { bus in try await run(on: bus) }
  }
}
