import CameraClient
import CameraProtocol
import CameraRig
import Doctor

/// What the node says about itself and its cameras, as findings.
struct NodeVisit {
  private let endpoint: String
  private let answer: Result<NodeStatus, CommandFailure>

  /// - Throws: A mistake in the options, such as a camera that the node does not have.
  init(_ options: BusOptions) async throws {
    endpoint = try NodeChoice(options.node).control
    var answer: Result<NodeStatus, CommandFailure>?
    try await options.withBus { bus in
      do throws(CameraBusError) {
        var status = try await bus.status()
        if let name = options.camera { status.cameras = [try await bus.camera(name).status()] }
        answer = .success(status)
      } catch {
        if error.code == .noSuchCamera { throw error }
        answer = .failure(CommandFailure(error, of: options))
      }
    }
    guard let answer else { preconditionFailure("the node's answer is lost") }
    self.answer = answer
  }

  /// Where a node answers on this machine; nil if none does.
  var place: NodePlace? {
    guard case .success = answer else { return nil }
    return NodePlace(endpoint: endpoint)
  }

  /// The folder of photos and movies, if the node is on this machine.
  var library: String? { place == nil ? nil : try? answer.get().library.folder }

  /// Whether the node knows a bound of the wall clock's error; nil if it is on another machine.
  var knowsClock: Bool? {
    place.flatMap { _ in try? answer.get().now.wallError != nil }
  }

  /// Whether this machine should have a device: not where a node on it has only cameras that are
  /// made by programs.
  var needsDevices: Bool {
    guard place != nil, let cameras = try? answer.get().cameras, !cameras.isEmpty else {
      return true
    }
    return cameras.contains { !["synthetic", "files"].contains($0.device?.driver) }
  }

  var findings: [Finding] {
    switch answer {
    case .failure(let failure):
      [.problem("node", failure.message)]
    case .success(let node):
      [finding(node)] + [finding(node.library)].compactMap(\.self) + node.cameras.map(finding)
    }
  }

  /// Nil if photos are kept, and nothing is amiss.
  private func finding(_ library: LibraryStatus) -> Finding? {
    if let error = library.error {
      return .problem("library", "photos cannot be kept: \(error.message)")
    }
    if let problem = library.quotaProblem {
      return .warning("library", problem.message, remedy: "camctl quota shows what takes how much")
    }
    return library.unlistedWords.map {
      .warning("library", $0, remedy: "camctl assets repair lists what the node made")
    }
  }

  private func finding(_ node: NodeStatus) -> Finding {
    let message = "\(node.name) answers at \(endpoint), version \(node.version)"
    guard node.version == Release.version else {
      return .warning(
        "node", "\(message), and camctl is \(Release.version)", remedy: "update the older one")
    }
    return .ok("node", message)
  }

  private func finding(_ camera: CameraStatus) -> Finding {
    if let problem = camera.error {
      return .problem("camera", "\(camera.name): \(problem.message)")
    }
    switch camera.state {
    case .running where !camera.readiness.passesByItself:
      return .warning(
        "camera", "\(camera.name) is running, and takes no photo now: \(camera.readiness.words)",
        remedy: "camctl status and the node's log say more")
    case .running, .idle:
      return .ok("camera", "\(camera.name) is \(camera.state.words)")
    case .stopped:
      return .warning(
        "camera", "\(camera.name) is stopped",
        remedy: "camctl session start --camera \(camera.name)")
    default: return .warning("camera", "\(camera.name): \(camera.stateWords)", remedy: "wait")
    }
  }
}

extension Readiness {
  /// Whether the camera takes photos now, or soon without anybody's help.
  fileprivate var passesByItself: Bool {
    switch self {
    case .ready, .notReadyMomentarily, .notReadyWaitingForCapture, .notReadyWaitingForProcessing:
      true
    default: false
    }
  }
}
