import UnixSignals
import ArgumentParser
import CameraNode
import Foundation
import Logging
import ServiceLifecycle

/// The daemon. It reads the configuration and runs a node until it gets a signal.
@main
struct Camerad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "camerad",
    abstract: "Puts Linux cameras on a ZeroMQ bus.",
    discussion: """
      SPEC is one of
        synthetic[:1920x1080@30[,format=MJPG]]
        v4l2:/dev/video0[,1280x720@30,format=YUYV]
        files:DIR[,@25]       the JPEGs in a folder, over and over
        files:DIR,1920x1080@30,format=YUYV    raw frames
        auto                  the first real camera, else the synthetic one

      It prints one line when it is ready, and runs until SIGTERM or SIGINT:
        camerad: ready control=tcp://… events=tcp://… frames=tcp://…
      """,
    version: Node.version)

  @Option(
    name: .customLong("camera"), help: ArgumentHelp("A camera; repeatable.", valueName: "NAME=SPEC")
  )
  var cameras: [String] = []

  @Option(
    help: ArgumentHelp("Read cameras and endpoints from a YAML file.", valueName: "FILE.yaml"))
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
      "Listen over ipc too, in this folder, as control, events and frames.", valueName: "DIR"))
  var ipc: String?

  @Option(help: ArgumentHelp("The folder to keep photos and movies in.", valueName: "DIR"))
  var library: String?

  @Option(help: ArgumentHelp("The node's name (default: the machine's).", valueName: "NAME"))
  var name: String?

  @Flag(help: "Run even if a camera cannot be started now, and keep trying.")
  var keepTrying = false

  @Flag(help: "Listen beyond this machine without keys.")
  var insecure = false

  @Option(
    help: ArgumentHelp(
      "What to log on stderr: trace, debug, info, warning, error.", valueName: "LEVEL"))
  var log = LogLevel.warning

  static func main() async {
    do {
      var command = try parse()
      try await command.run()
    } catch let error as NodeError {
      fail(error.message, status: 1)
    } catch let error as ConfigurationError {
      fail(error.message, status: 64)
    } catch  where exitCode(for: error) == .success {
      print(fullMessage(for: error))
    } catch {
      fail("\(message(for: error)): see camerad --help", status: exitCode(for: error).rawValue)
    }
  }

  mutating func run() async throws {
    let level = log.level
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
    let logger = Logger(label: "camerad")
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(
            service: NodeService(configuration: try nodeConfiguration(), log: logger),
            successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    try await group.run()
  }

  private func nodeConfiguration() throws(ConfigurationError) -> NodeConfiguration {
    var configuration = NodeConfiguration(
      name: ProcessInfo.processInfo.hostName, library: DefaultLibrary.path)
    if let config { try ConfigurationFile(path: config).apply(to: &configuration) }
    for camera in cameras {
      configuration.cameras.append(try CameraConfiguration(argument: camera))
    }
    if let control { configuration.control = control }
    if let events { configuration.events = events }
    if let frames { configuration.frames = frames }
    if let ipc { configuration.ipcFolder = ipc }
    if let library { configuration.library = library }
    if let name { configuration.name = name }
    configuration.keepsTrying = configuration.keepsTrying || keepTrying
    configuration.isInsecure = configuration.isInsecure || insecure
    try configuration.validate()
    return configuration
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    let line = message.split(separator: "\n").joined(separator: " ")
    FileHandle.standardError.write(Data("camerad: \(line)\n".utf8))
    Foundation.exit(status)
  }
}
