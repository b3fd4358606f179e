import ArgumentParser
import CameraClient
import Glibc
import OperatingSystem
import Words

/// Takes a camera's configuration and controls for one program alone.
struct LeaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lease",
    abstract: "Takes a camera's configuration and controls for yourself.",
    discussion: """
      While a lease is held, only its holder starts, stops and suspends the camera and sets its controls; others are told who \
      holds it. Photos, recordings and frames stay open to all, except photos that change the camera: brackets, the largest size, and \
      the flash. A lease ends when nothing is heard of its holder for its \
      term. Other commands work under it with --lease ID, or with CAMERABUS_LEASE=ID.
      """,
    subcommands: [Acquire.self, Release.self, Status.self]
  )

  struct Acquire: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes the lease and prints its id, and holds it until Ctrl-C.",
      discussion:
        "With --detach it ends at once; the lease then lasts for its term after each command for its camera under it."
    )

    @OptionGroup var options: BusOptions
    @Option(
      name: .customLong("as"),
      help: ArgumentHelp("How others know you; default: the name of your key.", valueName: "NAME"))
    var holder = ""
    @Option(
      help: ArgumentHelp(
        "After how long a silence it ends: 1s to 10min; default: 10s.", valueName: "DURATION"),
      transform: DurationText.positive)
    var term: Duration = .seconds(10)
    @Flag(help: "Do not stay to hold it.") var detach = false

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus, renewsLease: false)
      let lease = try await camera.acquireLease(as: holder, term: term)
      if options.json {
        JSONLine.print(["camera": camera.name, "lease": "\(lease.id)"])
      } else {
        StandardOutput.write(line: "\(lease.id)")
      }
      guard !detach else { return }
      options.note(
        "\(camera.name) is yours until Ctrl-C: other commands work with --lease \(lease.id)")
      await lease.end()
      guard lease.isHeld else {
        throw CommandFailure(
          code: CameraBusError.Code.conflict.rawValue,
          message: "the lease of \(camera.name) has ended: acquire it again", status: EXIT_FAILURE)
      }
      // Also after Ctrl-C, which has cancelled this task.
      await Task { _ = try? await lease.release() }.value
    }
  }

  struct Release: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a lease: the one of --lease, or with --force anybody's.")

    @OptionGroup var options: BusOptions
    @Flag(help: "Whoever holds it. You need the role controller.") var force = false

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus, renewsLease: false)
      try await camera.releaseLease(force: force)
      if options.json {
        JSONLine.print(["camera": camera.name])
      } else {
        StandardOutput.write(line: "nobody has the lease of \(camera.name)")
      }
    }
  }

  struct Status: BusCommand {
    static let configuration = CommandConfiguration(abstract: "Shows who holds which camera.")

    @OptionGroup var options: BusOptions

    private struct Row: Encodable {
      let camera: String
      let lease: Lease?
    }

    func run(on bus: CameraBus) async throws {
      let now = try await bus.status()
      let cameras = now.cameras.filter { options.camera == nil || $0.name == options.camera }
      if options.json {
        return cameras.forEach { JSONLine.print(Row(camera: $0.name, lease: $0.lease)) }
      }
      var table = Table("CAMERA", "HELD BY", "FOR", "ENDS IN")
      for camera in cameras {
        let end = (camera.lease?.expires).map { max(.zero, $0 - now.now.monotonic).words }
        table.add(
          camera.name, camera.lease?.holder ?? "nobody",
          camera.lease.map { now.now.age(of: $0.since) } ?? "", end ?? "")
      }
      table.print()
    }
  }
}
