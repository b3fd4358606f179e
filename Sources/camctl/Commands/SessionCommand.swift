import ArgumentParser
import CameraClient

/// Starts, stops and suspends a camera.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Starts, stops and suspends a camera.",
    subcommands: [Start.self, Stop.self, Suspend.self, Resume.self]
  )

  struct Start: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Starts a camera in the format that it has: see camctl configure."
    )

    @OptionGroup var options: BusOptions

    func run(on bus: CameraBus) async throws {
      options.show(try await options.chosenCamera(of: bus).startSession())
    }
  }

  struct Stop: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Completes the movie that a camera records, and stops the camera."
    )

    @OptionGroup var options: BusOptions

    func run(on bus: CameraBus) async throws {
      options.show(try await options.chosenCamera(of: bus).stopSession())
    }
  }
}

extension SessionCommand {
  struct Suspend: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Closes a camera, so that another program may have it, until it is resumed.",
      discussion: """
        Whoever waits for the camera is told so. A movie that it records is completed. Only `session resume` and \
        `session stop` end it, or a restart of the node.
        """
    )

    @OptionGroup var options: BusOptions
    @Option(help: ArgumentHelp("What to tell those who wait for the camera.", valueName: "TEXT"))
    var reason = ""

    func run(on bus: CameraBus) async throws {
      options.show(try await options.chosenCamera(of: bus).suspendSession(reason: reason))
    }
  }

  struct Resume: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a suspension: the camera runs again as before.",
      discussion: "If it cannot be started now, the node tries again by itself."
    )

    @OptionGroup var options: BusOptions

    func run(on bus: CameraBus) async throws {
      options.show(try await options.chosenCamera(of: bus).resumeSession())
    }
  }
}

extension BusOptions {
  fileprivate func show(_ camera: CameraStatus) {
    // The new state has just begun, so its start is the present.
    if json { JSONLine.print(camera) } else { CameraTable.print([camera]) }
  }
}
