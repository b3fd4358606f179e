import ArgumentParser
import CameraNode
import CameraProtocol
import EventLoop
import Foundation
import HEIFEncoding
import Logging
import OperatingSystem
import PhotoEncoding
import Words

/// The daemon. It reads the configuration and runs a node until it gets a signal.
@main
struct Camerad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "camerad",
    abstract: "Puts Linux cameras on a ZeroMQ bus.",
    discussion: discussion,
    version: "camerad \(Release.version)")

  @Option(
    name: .customLong("camera"), help: ArgumentHelp("A camera; repeatable.", valueName: "NAME=SPEC")
  )
  var cameras: [String] = []

  @Option(
    name: .customLong("microphone"),
    help: ArgumentHelp(
      "A microphone for the sound of movies; repeatable.", valueName: "NAME=SPEC"))
  var microphones: [String] = []

  @Option(
    name: .customLong("adopt"),
    help: ArgumentHelp(
      "Make cameras of the devices that match a rule; repeatable.", valueName: "NAME=RULE"))
  var adoptions: [String] = []

  @Option(
    help: ArgumentHelp("Read the configuration from a YAML file.", valueName: "FILE.yaml"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Where requests come in (default: \(NodeConfiguration.defaultControl)).",
      valueName: "ENDPOINT"))
  var control: String?

  @Option(
    help: ArgumentHelp(
      "Where events go out (default: \(NodeConfiguration.defaultEvents)).", valueName: "ENDPOINT"))
  var events: String?

  @Option(
    help: ArgumentHelp(
      "Where frames go out (default: \(NodeConfiguration.defaultFrames)).", valueName: "ENDPOINT"))
  var frames: String?

  @Option(
    help: ArgumentHelp(
      "Listen over ipc too, in this folder, as control, events and frames.", valueName: "DIR"),
    completion: .directory)
  var ipc: String?

  @Option(
    help: ArgumentHelp(
      "The folder to keep photos and movies in (default: \(DefaultLibrary.words)).",
      valueName: "DIR"), completion: .directory)
  var library: String?

  @Option(
    help: ArgumentHelp(
      "What photos and movies leave free on the library's disk (default: \(DiskReserve.byteCount.byteWords)).",
      valueName: "SIZE"), transform: Self.reserve)
  var reserve: Int?

  @Option(
    help: ArgumentHelp(
      "The group, by name or number, that may read the library and use the ipc sockets (default: only this user may).",
      valueName: "GROUP"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the keys that may use the node over tcp; made if it is missing (default: LIBRARY-keys, if it is there).",
      valueName: "DIR"), completion: .directory)
  var keys: String?

  @Flag(help: "Remember what clients change on cameras, and make it so again at the next start.")
  var remember = false

  @Option(
    help: ArgumentHelp(
      "The folder for what is remembered; made if it is missing (default: LIBRARY-state).",
      valueName: "DIR"), completion: .directory)
  var state: String?

  @Option(
    help: ArgumentHelp(
      "The ports for keys that are limited to some cameras, two for each set of cameras (default: any free ones).",
      valueName: "FIRST-LAST"), transform: Self.ports)
  var limitedPorts: ClosedRange<UInt16>?

  @Option(help: ArgumentHelp("The node's name (default: the machine's).", valueName: "NAME"))
  var name: String?

  @Flag(help: "Run even if a camera cannot be started now, and keep trying.")
  var keepTrying = false

  @Flag(help: "Listen beyond this machine without keys.")
  var insecure = false

  @Flag(help: "Announce the node on the network, for camctl nodes discover. It needs Avahi.")
  var announce = false

  @Option(
    help: ArgumentHelp(
      "By how much the machine's wall clock may be wrong, such as 5ms (default: what chronyd or ntpd compute).",
      valueName: "TIME"),
    transform: Self.clockError)
  var clockError: Duration?

  @Option(
    help: ArgumentHelp(
      "Whether to do less while the machine is hot or short of memory, or the node too late for half of its frames: on (the default), off, or a folder with copies of sys/class/thermal and proc/pressure in it, for tests.",
      valueName: "WHERE"),
    transform: Self.pressure)
  var pressure: PressureSource?

  @Option(
    help: ArgumentHelp(
      "The lowest level to log on stderr: trace, debug, info, warning (the default) or error.",
      valueName: "LEVEL"))
  var log: LogLevel?

  @Flag(name: .shortAndLong, help: "Log only errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log more; repeatable: -v is --log info, -vv is --log debug.")
  var verbose: Int

  @Flag(
    help:
      "Check the options, the configuration file and the keys, print each mistake, and start nothing."
  )
  var checkConfig = false

  /// A node with one camera and one client has about sixty.
  private static let neededDescriptors = 256

  func validate() throws {
    guard [log != nil, quiet, verbose > 0].count(where: { $0 }) < 2 else {
      throw ValidationError("--log, --quiet and --verbose exclude one another: choose one")
    }
  }

  private static func clockError(_ text: String) throws -> Duration {
    guard let error = DurationText.parse(text, needsUnit: true), error > .zero else {
      throw ValidationError("write a time above 0 with its unit, such as 5ms")
    }
    return error
  }

  private static func pressure(_ text: String) throws -> PressureSource {
    guard let source = PressureSource(text) else {
      throw ValidationError("write \(PressureSource.forms)")
    }
    return source
  }

  private static func reserve(_ text: String) throws -> Int {
    guard let byteCount = ByteCountText.parse(text) else {
      throw ValidationError("write \(ByteCountText.forms)")
    }
    return byteCount
  }

  private static func ports(_ text: String) throws -> ClosedRange<UInt16> {
    guard let ports = PortRange.parse(text) else {
      throw ValidationError("write two ports, such as 5580-5599")
    }
    return ports
  }

  static func main() {
    // Not a command of the parser: people do not call it, and it should start fast.
    if CommandLine.arguments.dropFirst().elementsEqual(EncodingService.arguments) {
      Foundation.exit(EncodingService.run())
    }
    do {
      try StandardStream.output.requireOpen()
      if let mistake = ArgumentText.mistake { throw ConfigurationError(mistake) }
      let options = try JSONDecoder().decode(CommandOptions.self, from: Data(_dumpHelp().utf8))
      if let mistake = options.repetition(in: Array(CommandLine.arguments.dropFirst())) {
        throw ConfigurationError(mistake)
      }
      var command = try parse()
      try command.run()
    } catch let error as NodeError {
      fail(error.message, status: EXIT_FAILURE)
    } catch let error as LoopShortage {
      fail(error.message, status: EXIT_FAILURE)
    } catch let error as ConfigurationError {
      fail(error.message, status: status(for: [error]))
    } catch let error as SystemError {
      fail(output: error)
    } catch  where exitCode(for: error) == .success {
      show(fullMessage(for: error))
    } catch {
      let options = try? JSONDecoder().decode(CommandOptions.self, from: Data(_dumpHelp().utf8))
      var message = ParserWords.sentence(message(for: error), options: options?.names ?? [])
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let mistake = GuessedOption.mistake(in: arguments, of: "camerad") { message = mistake }
      if message.hasSuffix(".") { message.removeLast() }
      let hint = message.hasSuffix("?") ? " See camerad --help" : ": see camerad --help"
      fail(message + hint, status: exitCode(for: error).rawValue)
    }
  }

  mutating func run() throws {
    // A reader of the log that ends must not end the node.
    StandardStream.ignoreClosedPipes()
    let (configuration, mistakes) = nodeConfiguration()
    if checkConfig { Self.report(mistakes, configuration.keyMistakes) }
    ProcessMemory.boundFreeMemory(encrypts: configuration.keyFolder != nil)
    let descriptors = DescriptorLimit.raise()
    guard descriptors >= Self.neededDescriptors else {
      Self.fail(
        "only \(descriptors) files may be open and a node needs \(Self.neededDescriptors): raise the "
          + "limit with ulimit -n, or with LimitNOFILE in the unit", status: EXIT_FAILURE)
    }
    if let mistake = mistakes.first { throw mistake }
    let level = configuration.logLevel.level
    FileGroup.restrictNewFiles(to: configuration.fileGroup)
    LineLogHandler.level.withLock { $0 = level }
    LoggingSystem.bootstrap { _ in LineLogHandler() }
    let logger = Logger(label: "camerad")
    let command = self
    let read: @Sendable () -> (configuration: NodeConfiguration, mistakes: [ConfigurationError]) =
      { command.nodeConfiguration() }
    try run(
      NodeService(
        configuration: configuration, read: config == nil ? nil : read,
        signals: try Self.signals(), log: logger))
  }

  /// The signals that end the node, or with a service manager have its keys read again.
  private static func signals() throws(SystemError) -> SignalQueue {
    let mayHangUp = !SystemProcess.ignores(SIGHUP) || ServiceManager() != nil
    return try SignalQueue([SIGTERM, SIGINT] + (mayHangUp ? [SIGHUP] : []))
  }

  /// Runs the service to its end, on a thread that is started now.
  ///
  /// Swift's own threads start and end as there is work. Where the user has no thread left, work
  /// for them would wait for ever.
  private func run(_ service: NodeService) throws {
    let loop = try EventLoop.starting(name: "main")
    let outcome: Result<Void, any Error> = loop.performAndWait { answer in
      Task(executorPreference: loop) {
        do {
          try await service.run(on: loop)
          answer(.success(()))
        } catch {
          answer(.failure(error))
        }
      }
    }
    try outcome.get()
  }

  /// Ends the program with a line for each mistake.
  private static func report(_ mistakes: [ConfigurationError], _ keyMistakes: [String]) -> Never {
    for message in mistakes.map(\.message) + keyMistakes {
      ErrorLog.write(line: message, level: .error)
    }
    guard mistakes.isEmpty else { Foundation.exit(status(for: mistakes)) }
    Foundation.exit(keyMistakes.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
  }

  private static func status(for mistakes: [ConfigurationError]) -> Int32 {
    mistakes.contains { $0.isInFile } ? EX_CONFIG : EX_USAGE
  }

  private static func show(_ text: String) {
    do throws(SystemError) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { UserCharacters.printable(String($0)) + "\n" }
      try StandardStream.output.write(Array(lines.joined().utf8))
    } catch {
      fail(output: error)
    }
  }

  private static func fail(output error: SystemError) -> Never {
    if error.errno == EPIPE {
      // The node is stopped now, so the program ends as it does without a node.
      StandardStream.noticeClosedPipes()
      StandardStream.endByClosedPipe()
    }
    fail(error.outputSentence, status: 1)
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    ErrorLog.write(line: message, level: .error)
    Foundation.exit(status)
  }
}
