import ArgumentParser
import CameraClient
import CameraProtocol
import Glibc
import Keys
import OperatingSystem
import Words

/// The command line of CameraBus.
@main
struct Camctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "camctl",
    abstract: "Looks at and drives the cameras of a CameraBus node.",
    discussion: """
      The node is the one at tcp://127.0.0.1:5570, unless --node or CAMERABUS_NODE names another.
      A node with one camera needs no --camera.

      Exit status:
        0    done
        1    failed
        64   wrong usage
        69   no node answers
        77   the node does not allow it
        75   failed, and worth trying again
        129  interrupted by SIGHUP, as when the terminal closes (not under nohup)
        130  interrupted by Ctrl-C
        143  interrupted by SIGTERM
      status --check also ends with 2, 3 or 4, as its help explains.

      An error is one line on stderr. A standard output that is closed or full is an error. When the reader of a \
      pipe ends, SIGPIPE ends camctl.
      """,
    version: "camctl \(Release.version)",
    subcommands: [
      StatusCommand.self, CamerasCommand.self, DevicesCommand.self, FormatsCommand.self,
      CapabilitiesCommand.self, CalibrationCommand.self, ClockCommand.self, QuotaCommand.self,
      MicrophonesCommand.self,
      MetricsCommand.self, WatchCommand.self, ShowCommand.self,
      EventsCommand.self, CaptureCommand.self, RecordCommand.self, ControlsCommand.self,
      SessionCommand.self, ConfigureCommand.self, LeaseCommand.self, RigCommand.self,
      AssetsCommand.self,
      DownloadCommand.self,
      DeleteCommand.self,
      ProtectCommand.self, FramesCommand.self, DoctorCommand.self, CompletionCommand.self,
      KeysCommand.self, NodesCommand.self, JSONCommand.self,
    ]
  )

  /// The arguments of the command line, in an order that the parser understands.
  static let arguments = CommonOptions.last(Array(CommandLine.arguments.dropFirst()))

  static func main() {
    if let mistake = ArgumentText.mistake { Glibc.exit(report(CommandFailure.usage(mistake))) }
    do throws(SystemError) {
      try Interruption.shared.begin()
    } catch {
      Glibc.exit(report(CommandFailure.noThread))
    }
    // The main thread waits here. Swift's own wait for the end of an asynchronous `main` would let
    // signals end the program.
    let status = OwnThread.wait { await run() }
    LiveLine.shared.end()
    TerminalMode.shared.restore()
    Glibc.exit(Interruption.shared.status ?? status)
  }

  /// - Throws: Wrong usage for an invitation, which is not repeated.
  private static func requireNoSecrets() throws(CommandFailure) {
    guard arguments.contains(where: { $0.contains(Invitation.scheme) }) else { return }
    throw .usage(
      "other users of this machine can see arguments: run `camctl nodes add` alone and paste the invitation, "
        + "and ask the node's owner for a new one")
  }

  /// - Returns: The program's exit status.
  private static func run() async -> Int32 {
    do {
      try StandardOutput.requireOpen()
      try requireNoSecrets()
      if !Completion.isWanted(by: arguments), let mistake = Verbs.repeatedOption(in: arguments) {
        throw CommandFailure.usage(mistake)
      }
      try await Interruption.shared.section { section in
        try await section.ending {
          var command = try await asyncParseAsRoot(arguments)
          if var command = command as? any AsyncParsableCommand {
            try await command.run()
          } else {
            try command.run()
          }
        }
      }
      return EXIT_SUCCESS
    } catch  where Completion.isWanted(by: arguments) {
      return Completion.answer(error)
    } catch let status as ExitCode {
      return status.rawValue
    } catch {
      return report(error)
    }
  }

  /// Tells what went wrong.
  /// - Returns: The program's exit status.
  private static func report(_ error: any Error) -> Int32 {
    let failure = CommandFailure(error)
    let options = arguments.prefix { $0 != "--" }
    failure.report(
      asJSON: options.contains("--json"),
      details: options.contains { $0 == "--verbose" || $0 == "-v" })
    return failure.status
  }
}

/// A command that talks to a node.
protocol BusCommand: AsyncParsableCommand {
  associatedtype Options: NodeOptions
  var options: Options { get }
  func run(on bus: CameraBus) async throws
}

extension BusCommand {
  func run() async throws {
    try await options.withBus { bus in try await run(on: bus) }
  }
}
