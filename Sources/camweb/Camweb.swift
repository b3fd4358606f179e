import ArgumentParser
import CameraClient
import CameraProtocol
import CameraRig
import CameraWeb
import FoundationEssentials
import Glibc
import OperatingSystem
import Words

/// The gateway for browsers. It reads its options and serves until it gets a signal.
@main
struct Camweb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "camweb",
    abstract: "Shows the cameras of CameraBus nodes to browsers.",
    discussion: """
      The node is the one at tcp://127.0.0.1:5570, unless --node, --rig, --all or CAMERABUS_NODE names others. \
      Open the address that camweb prints.

      Only programs on this machine reach it, unless --listen names another address. That needs --token-file, \
      or --insecure, by which everybody who reaches it may do all that its key allows.
      The token file has a line `viewer TOKEN` or `operator TOKEN` for each token, and is readable by its user alone. \
      Browsers send a token as a cookie, which the page login gives them, and programs as `Authorization: Bearer TOKEN`. \
      camweb reads the file when it starts.

      Addresses, of a camera of the only node, or as NODE/CAMERA:
        /                       pictures of all cameras
        /snapshot/CAMERA.jpg    a photo; ?when=past:0.2s&tolerance=20ms&size=640x480&quality=80
        /stream/CAMERA.mjpg     live pictures; ?size=full&rate=5
        /events                 what happens on all nodes, as server-sent events
        /assets  /assets/ID     the library, and a photo or movie of it
        /controls/CAMERA        the controls
        /metrics                figures for Prometheus
        /api/status             how the nodes are, as camctl status --json has it
        /healthz  /readyz       whether camweb runs, and whether all nodes answer

      With POST and JSON, for operators: /capture/CAMERA, /record/start/CAMERA, /record/stop/CAMERA,
      /session/start/CAMERA, /session/stop/CAMERA, /controls/CAMERA. WEB.md, which is installed with camweb, explains all.

      SIGTERM and Ctrl-C end it.

      Exit status: 0 after a signal, 64 for wrong usage, 1 for other failures.
      """,
    version: "camweb \(Release.version)")

  @Option(
    name: .customLong("node"),
    help: ArgumentHelp(
      "The node, by its name in `camctl nodes list` or by its control endpoint; repeatable; default: CAMERABUS_NODE, or tcp://127.0.0.1:5570.",
      valueName: "NODE"))
  var nodes: [String] = []

  @Option(
    help: ArgumentHelp("All nodes of a rig, which a file in YAML describes.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var rig: String?

  @Flag(help: "All nodes that `camctl nodes list` shows.") var all = false

  @Option(
    help: ArgumentHelp(
      "Where to listen (default: 127.0.0.1:8080); port 0 is any free one.",
      valueName: "ADDRESS:PORT"), transform: Self.address)
  var listen: ListenAddress?

  @Option(
    help: ArgumentHelp("The file with the tokens that let visitors in.", valueName: "FILE"),
    completion: .file())
  var tokenFile: String?

  @Flag(help: "Listen beyond this machine without tokens.") var insecure = false

  @Option(
    help: ArgumentHelp(
      "The path below which a proxy shows the gateway, such as /cameras. The proxy passes it on unchanged.",
      valueName: "PATH"), transform: Self.prefix)
  var prefix: [String] = []

  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "A name by which browsers may ask without tokens, beside addresses and localhost; repeatable.",
      valueName: "NAME"))
  var hosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "How long to wait for a node's answer: \(DurationText.forms); default: 10s, and 3s for a node to be there.",
      valueName: "DURATION"), transform: Self.duration)
  var timeout: Duration?

  func validate() throws {
    let ways = [
      nodes.isEmpty ? nil : "--node", rig.map { _ in "--rig" }, all ? "--all" : nil,
    ].compactMap(\.self)
    if ways.count > 1 {
      throw ValidationError(
        "\(ways.joined(separator: " and ")) name nodes in two ways: leave one out")
    }
    if insecure, tokenFile != nil {
      throw ValidationError("--insecure and --token-file contradict each other: leave one out")
    }
    let listen = listen ?? ListenAddress.standard
    if !listen.isLoopback, tokenFile == nil, !insecure {
      throw ValidationError(
        "other machines reach \(listen.host): name a --token-file, or say --insecure to let everybody in"
      )
    }
  }

  private static func address(_ text: String) throws -> ListenAddress {
    guard let address = ListenAddress(text) else {
      throw ValidationError("write an address and a port, such as 127.0.0.1:8080 or [::]:8080")
    }
    return address
  }

  private static func prefix(_ text: String) throws -> [String] {
    let parts = text.split(separator: "/").map(String.init)
    let isPath =
      text.hasPrefix("/")
      && parts.allSatisfy { part in
        part != "." && part != ".."
          && part.utf8.allSatisfy {
            Character(UnicodeScalar($0)).isLetter && $0 < 128
              || Character(UnicodeScalar($0)).isNumber && $0 < 128 || "-._~".utf8.contains($0)
          }
      }
    guard isPath else {
      throw ValidationError("write a path of letters, digits and -._~, such as /cameras")
    }
    return parts
  }

  private static func duration(_ text: String) throws -> Duration {
    guard let duration = DurationText.parse(text), duration > .zero else {
      throw ValidationError("write a duration of at most a day, such as 5s, 200ms or 1min")
    }
    return duration
  }

  // MARK: Running

  static func main() {
    do {
      try StandardStream.output.requireOpen()
      if let mistake = ArgumentText.mistake { fail(mistake, status: EX_USAGE) }
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let mistake = try options.repetition(in: arguments) { fail(mistake, status: EX_USAGE) }
      try parse().serve()
    } catch let error as SystemError {
      fail(error.outputSentence, status: EXIT_FAILURE)
    } catch  where exitCode(for: error) == .success {
      print(fullMessage(for: error))
    } catch {
      fail(words(for: error), status: exitCode(for: error).rawValue)
    }
  }

  private static var options: CommandOptions {
    get throws { try JSONDecoder().decode(CommandOptions.self, from: Data(_dumpHelp().utf8)) }
  }

  private static func words(for error: any Error) -> String {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var message =
      GuessedOption.mistake(in: arguments, of: "camweb")
      ?? ParserWords.sentence(message(for: error), options: (try? options.names) ?? [])
    if message.hasSuffix(".") { message.removeLast() }
    return message + (message.hasSuffix("?") ? " See camweb --help" : ": see camweb --help")
  }

  /// Serves until a signal comes.
  private func serve() throws {
    // Before there is another thread, because signals come to threads that let them.
    let signals = try SignalQueue([SIGTERM, SIGINT])
    StandardStream.ignoreClosedPipes()
    DescriptorLimit.raise()
    let gateway = WebGateway(try gatewayConfiguration())
    let listen = listen ?? ListenAddress.standard
    let prefix = prefix
    let manager = ServiceManager()
    let failure = OwnThread.wait { () -> String? in
      let serving = Task {
        try await gateway.run { port in
          Self.say("camweb: ready \(listen.page(port: port, prefix: prefix))\n")
          manager?.tell(.ready)
        }
      }
      guard
        let thread = SystemThread.start({
          _ = signals.wait()
          manager?.tell(.stopping)
          serving.cancel()
        })
      else { return "the system has no thread left for camweb: end other programs" }
      pthread_detach(thread)
      do {
        try await serving.value
        return nil
      } catch is CancellationError {
        return nil
      } catch {
        return "cannot listen on \(listen.host), port \(listen.port): \(error)"
      }
    }
    if let failure { Self.fail(failure, status: EXIT_FAILURE) }
  }

  private func gatewayConfiguration() throws -> WebGateway.Configuration {
    let selection = NodeSelection(nodes: nodes, rig: rig, all: all)
    var configuration: WebGateway.Configuration
    do throws(CameraBusError) {
      configuration = WebGateway.Configuration(nodes: try selection.connections())
    } catch {
      Self.fail(error.message, status: EX_USAGE)
    }
    if let tokenFile {
      do {
        configuration.tokens = try TokenFile(tokenFile)
      } catch {
        Self.fail("\(error)", status: EX_USAGE)
      }
    }
    configuration.bus = .init(
      connectTimeout: timeout ?? .seconds(3), requestTimeout: timeout ?? .seconds(10))
    configuration.address = (listen ?? ListenAddress.standard).host
    configuration.port = (listen ?? ListenAddress.standard).port
    configuration.prefix = prefix
    configuration.hosts = hosts
    return configuration
  }

  private static func say(_ text: String) {
    do throws(SystemError) {
      try StandardStream.output.write(Array(text.utf8))
    } catch {
      // A program that waits for this line would wait for ever.
      fail(error.outputSentence, status: EXIT_FAILURE)
    }
  }

  private static func print(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { UserCharacters.printable(String($0)) + "\n" }
    say(lines.joined())
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    try? StandardStream.error.write(
      Array("camweb: \(UserCharacters.printable(line))\n".utf8))
    Glibc.exit(status)
  }
}
