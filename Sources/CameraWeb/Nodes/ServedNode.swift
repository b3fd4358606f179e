import CameraClient
import CameraRig
import HTTPTypes

/// A node that the gateway serves.
final class ServedNode: Sendable {
  /// What it is called in addresses.
  let name: String
  private let link: RigLink
  private let asking: SharedQuestion<NodeStatus>

  init(_ connection: RigConnection, _ configuration: CameraBus.Configuration) {
    name = connection.name
    let link = RigLink(connection, configuration)
    self.link = link
    asking = SharedQuestion { () throws(CameraBusError) in try await link.status() }
  }

  /// How the node is. Those who ask at the same time share one request.
  func status() async throws(CameraBusError) -> NodeStatus { try await asking.answer() }

  /// Asks one of the node's cameras something.
  func ask<R: Sendable>(
    _ camera: String, _ ask: @escaping @Sendable (Camera) async throws(CameraBusError) -> R
  ) async throws(CameraBusError) -> R {
    guard serves(camera) else {
      let cameras = (link.connection.cameras ?? []).sorted().joined(separator: ", ")
      throw CameraBusError(.noSuchCamera, "the gateway serves \(cameras) of \(name)")
    }
    return try await link.asking { (bus) throws(CameraBusError) in
      try await ask(try bus.camera(camera))
    }
  }

  /// Whether a camera of the node belongs to what is served.
  func serves(_ camera: String) -> Bool { link.connection.cameras?.contains(camera) ?? true }

  /// Asks the node something that is not of one camera.
  func askNode<R: Sendable>(
    _ ask: @escaping @Sendable (CameraBus) async throws(CameraBusError) -> R
  ) async throws(CameraBusError) -> R {
    try await link.asking { (bus) throws(CameraBusError) in try await ask(bus) }
  }

  /// The camera, once the node has said that it has it.
  func camera(_ name: String) async throws(CameraBusError) -> Camera {
    try await ask(name) { (camera) throws(CameraBusError) in
      _ = try await camera.status()
      return camera
    }
  }

  func close() async { await link.close() }
}

/// A question that is asked once for all who want the answer at the same time.
actor SharedQuestion<Answer: Sendable> {
  private let ask: @Sendable () async throws(CameraBusError) -> Answer
  private var isAsking = false
  private var waiting: [CheckedContinuation<Result<Answer, CameraBusError>, Never>] = []

  init(_ ask: @escaping @Sendable () async throws(CameraBusError) -> Answer) {
    self.ask = ask
  }

  func answer() async throws(CameraBusError) -> Answer {
    guard !isAsking else {
      return try await withCheckedContinuation { waiting.append($0) }.get()
    }
    isAsking = true
    let result: Result<Answer, CameraBusError>
    do throws(CameraBusError) {
      result = .success(try await ask())
    } catch {
      result = .failure(error)
    }
    isAsking = false
    for continuation in waiting { continuation.resume(returning: result) }
    waiting = []
    return try result.get()
  }
}

/// The nodes that the gateway serves, by their names.
struct ServedNodes: Sendable {
  let all: [ServedNode]

  init(_ connections: [RigConnection], _ configuration: CameraBus.Configuration) {
    all = connections.map { ServedNode($0, configuration) }
  }

  /// The node and the camera's name of `CAMERA` or `NODE/CAMERA`. With several nodes the node must
  /// be named.
  func camera(_ path: ArraySlice<String>) throws(HTTPFailure) -> (node: ServedNode, camera: String)
  {
    guard let camera = path.last, path.count <= 2 else { throw .noSuchPage }
    guard path.count == 2, let name = path.first else {
      guard all.count == 1 else {
        throw HTTPFailure(
          .notFound, "noSuchCamera",
          "the gateway serves \(all.count) nodes: write NODE/CAMERA, with one of \(names)")
      }
      return (all[0], camera)
    }
    return (try node(name), camera)
  }

  /// The node of that name, or the only one.
  func node(_ name: String?) throws(HTTPFailure) -> ServedNode {
    guard let name else {
      guard all.count == 1 else {
        throw HTTPFailure(
          .notFound, "noSuchNode", "the gateway serves \(all.count) nodes: name one of \(names)")
      }
      return all[0]
    }
    guard let node = all.first(where: { $0.name == name }) else {
      throw HTTPFailure(
        .notFound, "noSuchNode", "the gateway serves no node of that name, but \(names)")
    }
    return node
  }

  private var names: String { all.map(\.name).joined(separator: ", ") }

  /// How each node is, or why that is not known, in their order. All are asked at once.
  func statuses() async -> [(name: String, status: Result<NodeStatus, CameraBusError>)] {
    await withTaskGroup(of: (Int, Result<NodeStatus, CameraBusError>).self) { group in
      for (index, node) in all.enumerated() {
        group.addTask {
          do throws(CameraBusError) {
            return (index, .success(try await node.status()))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var results = [Result<NodeStatus, CameraBusError>?](repeating: nil, count: all.count)
      for await (index, result) in group { results[index] = result }
      return zip(all, results).compactMap { node, result in result.map { (node.name, $0) } }
    }
  }

  func close() async { for node in all { await node.close() } }
}
