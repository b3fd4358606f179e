import ArgumentParser
import CameraClient
import CameraRig
import FoundationEssentials
import OperatingSystem
import Words

/// The camera, the timeout and the form of the output.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The camera; not needed where there is one.", valueName: "NAME"),
    completion: .cameras)
  var camera: String?

  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp(
      "How long to wait for an answer: \(DurationText.forms); default: 10s, and 3s for a node to be there.",
      valueName: "DURATION"),
    transform: DurationText.positive
  )
  var chosenTimeout: Duration?

  /// How long to wait for an answer.
  var timeout: Duration { chosenTimeout ?? .seconds(10) }

  @Option(
    help: ArgumentHelp(
      "The lease of the camera to work under; default: CAMERABUS_LEASE.", valueName: "ID"))
  var lease: String?

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
}

/// The node, and what ``RequestOptions`` has.
struct BusOptions: NodeOptions {
  @Option(
    help: ArgumentHelp(
      "The node, by its name in `camctl nodes list` or by its control endpoint; default: CAMERABUS_NODE, or tcp://127.0.0.1:5570.",
      valueName: "NODE"
    )
  )
  var node: String?

  @OptionGroup var request: RequestOptions
}

/// Options that name a node.
protocol NodeOptions: ParsableArguments {
  /// The node's name or endpoint; nil for the standard.
  var node: String? { get }
  var request: RequestOptions { get }
}

extension NodeOptions {
  var camera: String? { request.camera }
  /// How long to wait for an answer.
  var timeout: Duration { request.timeout }
  var chosenTimeout: Duration? { request.chosenTimeout }
  var lease: String? { request.lease }
  var json: Bool { request.json }
  var quiet: Bool { request.quiet }
  var verbose: Bool { request.verbose }

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
    let start = ContinuousClock.now
    do {
      let choice = try NodeChoice(node)
      remark("the node is at \(choice.control)")
      defer { remark("it took \((ContinuousClock.now - start).words)") }
      try await choice.withBus(
        .init(connectTimeout: chosenTimeout ?? .seconds(3), requestTimeout: timeout), body)
    } catch let error as CameraBusError {
      throw CommandFailure(error, of: self)
    }
  }

  /// The camera that `--camera` names, or the only one, under the lease of `--lease`.
  /// - Parameter renewsLease: Whether to renew the lease, so that each command does. The node
  ///   refuses what needs a lease that has ended; photos and recordings stay open to all.
  func chosenCamera(of bus: CameraBus, renewsLease: Bool = true) async throws -> Camera {
    let camera = try await namedCamera(of: bus)
    let environment = ProcessInfo.processInfo.environment["CAMERABUS_LEASE"]
    if let text = lease ?? (environment?.isEmpty == true ? nil : environment) {
      guard let id = Identifier(text), id.bytes.count == 16 else {
        throw CommandFailure.usage(
          "'\(text)' is no lease, which has 32 hexadecimal digits: camctl lease acquire prints it")
      }
      camera.useLease(id)
      if renewsLease { try await renewLease(of: camera) }
    }
    return camera
  }

  private func renewLease(of camera: Camera) async throws(CameraBusError) {
    do throws(CameraBusError) {
      try await camera.renewLease()
    } catch {
      guard error.code == .conflict else { throw error }
      note(error.message, style: .warning)
    }
  }

  private func namedCamera(of bus: CameraBus) async throws -> Camera {
    if let camera { return try bus.camera(camera) }
    do throws(CameraBusError) {
      let camera = try await bus.camera()
      remark("the node's only camera is \(camera.name)")
      return camera
    } catch {
      guard error.code == .noSuchCamera else { throw error }
      throw CommandFailure.usage(
        error.reason == .cameraNotNamed
          ? "\(error.message) with --camera"
          : "\(error.message), or start one with `camerad --camera cam=auto`")
    }
  }
}

extension DurationText {
  /// A duration above 0, for an option.
  static func positive(_ text: String) throws -> Duration {
    guard let duration = parse(text), duration > .zero else {
      throw ValidationError("write a duration of at most a day, such as 5s, 200ms or 1min")
    }
    return duration
  }
}

/// What `--count` takes.
enum PositiveCount {
  private static let maximum = 1_000_000_000

  static func parse(_ text: String) throws -> Int {
    guard let count = Int(text), (1...maximum).contains(count) else {
      throw ValidationError("write a whole number above 0 and of at most \(maximum)")
    }
    return count
  }
}
