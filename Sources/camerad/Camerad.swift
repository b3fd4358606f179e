import ArgumentParser
import CameraNode
import CameraProtocol
import Foundation
import Logging
import OperatingSystem
import PhotoEncoding
import ServiceLifecycle
import UnixSignals

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
        files:FILE[,@25]      one JPEG, over and over
        files:DIR,1920x1080@30,format=YUYV    raw frames
        auto                  the first real camera, else the synthetic one

      The synthetic camera paints a moving picture of 160x120 to 4096x2304 pixels, 1 to 240 times a second, in \
      MJPG, YUYV, UYVY, NV12, YU12, GREY, RGB3, BGR3, RGGB, RG10, RG12, pRCC, RG16, Y10, Y12, Y16, Z16 or RGBP. \
      Beside the controls of a real camera it has some that cause faults, so that programs can be tried with them:

        disconnect=true            is unplugged until disconnect=false
        disconnect_for=2000        is unplugged for 2000 ms
        inject_busy=true           cannot start, as if another program had it
        inject_stall=true          sends nothing, without an error
        inject_error_buffers=5     flags the next 5 frames as corrupted
        inject_truncated=5         cuts off the next 5 frames
        inject_frame_loss=5        loses the next 5 frames
        inject_streamon_error      fails at the next start
        inject_fatal_error         breaks down, and is opened again
        inject_flash_fault=1       lets its flash report a fault (1: over-voltage), 0 ends it

      For example: camctl controls set disconnect_for=2000

      Its pictures show a change of a control in the next frame, or with settle=1-6 after one to six frames, as seed=7 \
      decides; with facts=off it says nothing of how it took its frames, with zoom=off it has no zoom, as many cameras do not, and with warmup=8 its first eight frames after a start are too dark.

      Each SPEC may end in how the camera is built in, for `camctl devices`: position=front, back or external, and \
      rotation=90, 180 or 270, the degrees clockwise by which its pictures must be turned to stand upright:
        v4l2:/dev/video0,1280x720@30,position=front,rotation=180
      calibration=FILE names the calibration for `camctl calibration`, as ROS's camera_calibration writes it.

      A camera stays open, so that a photo needs no start, or with idle=TIME it is closed when nobody has used it for \
      that long, and opened again for the next subscriber, photo or movie, whose first frames may be dark; idle=warm \
      is the default. For photos of the largest size it changes its format, unless stills=stream says that they have \
      the stream's size. For example:
        v4l2:/dev/video0,1280x720@30,idle=30s
      A flash that is a device of its own, as a LED on a board, is named by its node, and its controls are among those \
      of the camera: flash=NODE. `head /sys/class/video4linux/v4l-subdev*/name` shows which is which. For example:
        v4l2:/dev/video0,flash=/dev/v4l-subdev3
      The files of photos say where the camera is and what lens it has, if gps=NORTH/EAST or gps=NORTH/EAST/METRES, in \
      degrees, and lens=MM/F tell it:
        v4l2:/dev/video0,gps=47.3769/8.5417/408,lens=4.2mm/f2.8
      A depth camera delivers Z16 and is a camera of its own. With depth=NAME its nearest distances can go with the \
      photos of another camera, for `camctl capture --depth`:
        --camera 'front=v4l2:/dev/video0,depth=tof' --camera 'tof=v4l2:/dev/video2,640x480@30,format=Z16'

      --adopt makes cameras of devices that are there or are plugged in later. RULE names at least one of driver, \
      model and identity, as `camctl devices --json` lists them, with * and ? as in a shell; behind them it may have a \
      format and how they are built in:
        --adopt 'usb-*=driver=uvcvideo'
        --adopt 'front=model=*C920*,1280x720@30,format=MJPG,position=front'
      In NAME, eight digits take the place of a *. They are always the same for a device. Without a *, one device at a \
      time is adopted. The first rule that matches a device counts; devices that --camera names are left to that. When \
      an adopted device has been gone for 5 s, its camera goes too, and returns under its name. A node adopts 8 \
      cameras at most.

      It prints one line when it is ready, and runs until SIGTERM, SIGINT or SIGHUP (not under nohup):
        camerad: ready control=tcp://... events=tcp://... frames=tcp://...

      --group holds for files that are made from then on. To open older photos and movies to the group, or to close \
      the library again:
        chgrp -R GROUP LIBRARY/*/; chmod -R g+rX LIBRARY/*/
        chmod -R go= LIBRARY
      tcp on loopback is open to every user of the machine. To close it, listen on ipc only, in a folder that is \
      there and that the group may enter:
        --control ipc:///run/camerabus/control
        --events ipc:///run/camerabus/events
        --frames ipc:///run/camerabus/frames

      Under systemd, log lines carry the journal's priorities; the node says when it is ready and that its threads turn, \
      and SIGHUP reads the keys again.

      Exit status:
        0   ended by a signal
        1   failed
        64  wrong usage
        70  a thread of the node was stuck for ten seconds: the log says which
        78  a mistake in the configuration file

      An error is one line on stderr.
      """,
    version: "camerad \(Release.version)")

  @Option(
    name: .customLong("camera"), help: ArgumentHelp("A camera; repeatable.", valueName: "NAME=SPEC")
  )
  var cameras: [String] = []

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
      "The group, by name or number, that may read the library and use the ipc sockets (default: only this user may).",
      valueName: "GROUP"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the keys that may use the node over tcp; made if it is missing (default: LIBRARY-keys, if it is there).",
      valueName: "DIR"), completion: .directory)
  var keys: String?

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

  @Option(
    help: ArgumentHelp(
      "By how much the machine's wall clock may be wrong, such as 5ms (default: what chronyd or ntpd compute).",
      valueName: "TIME"),
    transform: Self.clockError)
  var clockError: Duration?

  @Option(
    help: ArgumentHelp(
      "Whether to do less while the machine is hot or short of memory: on (the default), off, or a folder with copies of sys/class/thermal and proc/pressure in it, for tests.",
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

  private static func ports(_ text: String) throws -> ClosedRange<UInt16> {
    guard let ports = PortRange.parse(text) else {
      throw ValidationError("write two ports, such as 5580-5599")
    }
    return ports
  }

  static func main() async {
    // Not a command of the parser: people do not call it, and it should start fast.
    if CommandLine.arguments.dropFirst().elementsEqual(EncodingService.arguments) {
      Foundation.exit(EncodingService.run())
    }
    do {
      try StandardStream.output.requireOpen()
      var command = try parse()
      try await command.run()
    } catch let error as NodeError {
      fail(error.message, status: EXIT_FAILURE)
    } catch let error as ConfigurationError {
      fail(error.message, status: status(for: [error]))
    } catch let error as SystemError {
      fail(output: error)
    } catch  where exitCode(for: error) == .success {
      show(fullMessage(for: error))
    } catch {
      var message = message(for: error)
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let mistake = GuessedOption.mistake(in: arguments, of: "camerad") { message = mistake }
      if message.hasSuffix(".") { message.removeLast() }
      let hint = message.hasSuffix("?") ? " See camerad --help" : ": see camerad --help"
      fail(message + hint, status: exitCode(for: error).rawValue)
    }
  }

  mutating func run() async throws {
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
    LoggingSystem.bootstrap { _ in LineLogHandler(logLevel: level) }
    let logger = Logger(label: "camerad")
    let mayHangUp = !SystemProcess.ignores(SIGHUP) && ServiceManager() == nil
    let hangUp: [UnixSignal] = mayHangUp ? [.sighup] : []
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(
            service: NodeService(configuration: configuration, log: logger),
            successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint] + hangUp, logger: logger))
    try await group.run()
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
