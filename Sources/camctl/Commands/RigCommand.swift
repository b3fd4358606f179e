import ArgumentParser
import CameraClient
import CameraRig
import FoundationEssentials
import Glibc
import OperatingSystem
import Words

/// Fires many cameras together.
struct RigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rig",
    abstract: "Fires the cameras of many nodes together, and says how far apart they were.",
    discussion: """
      A rig is a file (camctl rig init), or some nodes that are named with --node. Pictures are those of the frames \
      nearest one moment. Cameras that run freely are half a frame interval away from it at most; the result says of \
      each what it has shown, and how well that is known.
      """,
    subcommands: [
      Init.self, Status.self, Clocks.self, Events.self, Align.self, Capture.self, Series.self,
      Record.self, Sheet.self,
    ]
  )

  /// Which rig it is.
  struct Options: ParsableArguments {
    @Option(
      name: [.customLong("rig")],
      help: ArgumentHelp("The rig's file, which camctl rig init writes.", valueName: "FILE"),
      completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    @Option(
      name: [.customLong("node")],
      help: ArgumentHelp(
        "Instead of a file, a node by its name in `camctl nodes list` or by its control endpoint; several are allowed.",
        valueName: "NODE"))
    var nodes: [String] = []

    @Option(
      name: .customLong("timeout"),
      help: ArgumentHelp(
        "How long to wait for each answer: \(DurationText.forms); default: 10s.",
        valueName: "DURATION"),
      transform: DurationText.positive)
    var timeout: Duration?

    @Option(
      help: ArgumentHelp(
        "How long a node may take to be there and answer, before the others go on without it: \(DurationText.forms); default: 3s, and --timeout if that is less.",
        valueName: "DURATION"),
      transform: DurationText.positive)
    var nodeTimeout: Duration?

    @OptionGroup var clock: OwnClockOptions

    @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print results only: no notes.")
    var quiet = false

    func validate() throws {
      guard (file == nil) != nodes.isEmpty else {
        throw ValidationError("name the rig's file with --rig, or its nodes with --node")
      }
    }

    /// - Throws: Wrong usage for a mistake in the rig.
    func description() throws -> RigDescription {
      do throws(CameraBusError) {
        if let file { return try RigDescription(file: file) }
        return try RigDescription(nodes: nodes)
      } catch {
        throw CommandFailure.usage(error.message)
      }
    }

    /// Runs `body` with the rig, and closes it however that ends.
    func withRig<R>(_ body: (Rig) async throws -> R) async throws -> R {
      let rig: Rig
      do {
        rig = try Rig(
          try description(),
          configuration: .init(
            connectTimeout: nodeTimeout ?? min(.seconds(3), timeout ?? .seconds(3)),
            requestTimeout: timeout ?? .seconds(10)),
          wall: try clock.wall)
      } catch let error as CameraBusError where error.code == .invalidArgument {
        throw CommandFailure.usage(error.message)
      }
      let result: Result<R, any Error>
      do {
        result = .success(try await body(rig))
      } catch {
        result = .failure(error)
      }
      await rig.close()
      return try result.get()
    }
  }

  struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Writes the file of a rig with these nodes and the cameras that they have now.")

    @Argument(
      help: ArgumentHelp(
        "The nodes, by their names in `camctl nodes list` or by their control endpoints.",
        valueName: "NODE"))
    var nodes: [String]

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The file to write.", valueName: "FILE"),
      completion: .file(extensions: ["yaml", "yml"]))
    var output: String

    @Option(help: ArgumentHelp("What people call the rig.", valueName: "NAME"))
    var name: String?

    @Flag(help: "Replace a file that is there.")
    var overwrite = false

    func run() async throws {
      let description: RigDescription
      let rig: Rig
      do throws(CameraBusError) {
        description = try RigDescription(nodes: nodes, name: name)
        rig = try Rig(description, configuration: .init(connectTimeout: .seconds(3)))
      } catch {
        throw CommandFailure.usage(error.message)
      }
      let status = await rig.status()
      await rig.close()
      if let gone = status.first(where: { $0.problem != nil }), let problem = gone.problem {
        throw CommandFailure(
          CameraBusError(problem.code, "\(gone.name): \(problem.message)"))
      }
      let names = description.cameraNames(
        Dictionary(
          uniqueKeysWithValues: status.map { ($0.name, $0.status?.cameras.map(\.name) ?? []) }))
      var text = name.map { "name: \(Self.quoted($0))\n" } ?? ""
      text += "nodes:\n"
      for node in description.nodes {
        text += "- node: \(Self.quoted(node.node))\n  name: \(Self.quoted(node.name))\n"
        guard let cameras = names[node.name], !cameras.isEmpty else { continue }
        text += "  cameras:\n"
        for (camera, name) in cameras.sorted(by: { $0.key < $1.key }) {
          text += "  - camera: \(Self.quoted(camera))\n    name: \(Self.quoted(name))\n"
        }
      }
      do throws(CameraBusError) {
        try await FileWriter.write(Array(text.utf8), to: output, overwrites: overwrite)
      } catch {
        throw CommandFailure(error)
      }
      StandardOutput.write(line: output)
    }

    /// A text in YAML's double quotes, which JSON's are.
    private static func quoted(_ text: String) -> String { JSONLine.text(of: text) }
  }
}

extension RigShot.Bounds {
  /// "+1.2 ms, off by at most 0.3 ms".
  var words: String {
    "\(middle < .zero ? "" : "+")\(middle.signedWords), off by at most \(error.words)"
  }
}

extension Double {
  /// "-1.2 ppm".
  var partsPerMillion: String {
    let shown = rounded(to: 1)
    return "\(shown == 0 ? 0 : shown) ppm"
  }
}
