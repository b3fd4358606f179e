import ArgumentParser
import CameraClient
import FoundationEssentials
import OperatingSystem

/// The node, the camera, the timeout and the form of the output.
struct BusOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The node's control endpoint; default: CAMERABUS_NODE, or tcp://127.0.0.1:5570.",
      valueName: "ENDPOINT"
    )
  )
  var node: String?

  @Option(
    help: ArgumentHelp("The camera; not needed where there is one.", valueName: "NAME"),
    completion: .cameras)
  var camera: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait for an answer: \(DurationText.forms); default: 10s.",
      valueName: "DURATION"),
    transform: DurationText.positive
  )
  var timeout = Duration.seconds(10)

  @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print results only: no progress, no notes.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Say on stderr what happens on the way.")
  var verbose = false

  func validate() throws {
    if quiet, verbose {
      throw ValidationError("--quiet and --verbose contradict each other: leave one out")
    }
    if camera?.isEmpty == true {
      throw ValidationError("--camera is empty: name a camera, or leave it out")
    }
  }

  /// Whether lines that live on the terminal, and notes, are wanted.
  var isTalkative: Bool { !json && !quiet }

  /// Prints on stderr what a person should know beside the results.
  func note(_ text: String, style: Style = .plain) {
    if isTalkative { StandardError.write(line: text, style: style) }
  }

  /// Prints on stderr what happens on the way, if `--verbose` asks for it.
  func remark(_ text: @autoclosure () -> String) {
    if verbose { StandardError.write(line: "camctl: \(text())", style: .faint) }
  }

  /// Runs `body` with a connection to the node, and closes it however that ends.
  func withBus(_ body: (CameraBus) async throws -> Void) async throws {
    let node = Self.endpoint(node)
    let bus: CameraBus
    do throws(CameraBusError) {
      bus = try CameraBus(node, configuration: .init(requestTimeout: timeout))
    } catch {
      throw error.code == .invalidArgument
        ? CommandFailure.usage(error.message) : CommandFailure(error)
    }
    let start = ContinuousClock.now
    remark("the node is at \(node)")
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(bus))
    } catch {
      result = .failure(error)
    }
    await bus.close()
    remark("it took \((ContinuousClock.now - start).words)")
    do {
      try result.get()
    } catch let error as CameraBusError {
      throw CommandFailure(error, of: self)
    }
  }

  /// The node to use where `--node` has this value.
  static func endpoint(_ node: String?) -> String {
    node ?? ProcessInfo.processInfo.environment["CAMERABUS_NODE"] ?? CameraBus.defaultControl
  }

  /// The camera that `--camera` names, or the only one.
  func chosenCamera(of bus: CameraBus) async throws -> Camera {
    if let camera { return try bus.camera(camera) }
    do throws(CameraBusError) {
      let camera = try await bus.camera()
      remark("the node's only camera is \(camera.name)")
      return camera
    } catch {
      guard error.code == .noSuchCamera else { throw error }
      throw CommandFailure.usage(
        error.message.contains("choose")
          ? "\(error.message) with --camera"
          : "\(error.message), or start one with `camerad --camera cam=auto`")
    }
  }
}
