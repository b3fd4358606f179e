public import CameraClient

/// Many nodes and their cameras as one: it fires them together, and says of each picture when it
/// was taken by this machine's clock, with the bound of that.
///
/// A node that is gone ends nothing but its own part.
public final class Rig: Sendable {
  /// What the rig consists of.
  public let description: RigDescription
  let links: [RigLink]
  let configuration: CameraBus.Configuration

  /// Connects to nothing yet.
  ///
  /// - Parameters:
  ///   - description: Its nodes and cameras.
  ///   - configuration: The timeouts for each node. After `connectTimeout` a shot goes on without
  ///     the nodes that do not answer.
  ///   - wall: This machine's wall clock, which bounds the offsets of nodes whose wall clocks have
  ///     a bound too.
  /// - Throws: `invalidArgument` for a node that this user does not know, and for a key that cannot
  ///   be read.
  public init(
    _ description: RigDescription, configuration: CameraBus.Configuration = .init(),
    wall: OwnWallClock = OwnWallClock()
  ) throws(CameraBusError) {
    self.description = description
    self.configuration = configuration
    links = try description.connections().map { RigLink($0, configuration, wall) }
  }

  /// Ends all connections.
  public func close() async {
    for link in links { await link.close() }
  }

  /// How all nodes and cameras are, as far as they answer, in the order of the description.
  public func status() async -> [RigNodeStatus] {
    var nodes = await each { link throws(CameraBusError) in
      let status = try await link.status()
      try await link.readClock()
      return (status, await link.offset(at: .now))
    }.map { link, result in
      switch result {
      case .success((let status, let clock)):
        RigNodeStatus(name: link.connection.name, status: status, clock: clock)
      case .failure(let error):
        RigNodeStatus(name: link.connection.name, problem: Problem(error))
      }
    }
    nodes.findPhases()
    return nodes
  }

  /// Does something with all nodes at once.
  /// - Returns: What came of it, in the order of the description.
  func each<R: Sendable>(
    _ body: @escaping @Sendable (RigLink) async throws(CameraBusError) -> R
  ) async -> [(link: RigLink, result: Result<R, CameraBusError>)] {
    await Self.atOnce(links, body).map { (link: $0, result: $1) }
  }

  /// Does something with all elements at once.
  /// - Returns: What came of it, in their order.
  static func atOnce<Element: Sendable, R: Sendable>(
    _ elements: [Element],
    _ body: @escaping @Sendable (Element) async throws(CameraBusError) -> R
  ) async -> [(Element, Result<R, CameraBusError>)] {
    await withTaskGroup { group in
      for (index, element) in elements.enumerated() {
        group.addTask { () -> (Int, Result<R, CameraBusError>) in
          do throws(CameraBusError) {
            return (index, .success(try await body(element)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var results: [Int: Result<R, CameraBusError>] = [:]
      for await (index, result) in group { results[index] = result }
      return elements.enumerated().compactMap { index, element in
        results[index].map { (element, $0) }
      }
    }
  }
}

/// How a node of a rig is.
public struct RigNodeStatus: Sendable, Codable {
  /// What it is called in the rig.
  public var name: String
  /// Its state, with its cameras of the rig; nil if it does not answer.
  public var status: NodeStatus?
  /// How far its clock is ahead of this machine's.
  public var clock: ClockOffset?
  /// Why it does not answer.
  public var problem: Problem?
  /// When the frames of its cameras come, beside those of the rig's first camera that runs: of
  /// those with the same rate.
  public var phases: [CameraPhase] = []

  package init(
    name: String, status: NodeStatus? = nil, clock: ClockOffset? = nil, problem: Problem? = nil
  ) {
    (self.name, self.status, self.clock, self.problem) = (name, status, clock, problem)
  }
}

/// When a camera's frames come, beside those of the rig's first camera that runs.
public struct CameraPhase: Hashable, Sendable, Codable {
  /// What the node calls it.
  public var camera: String
  /// How much later they come, by their timestamps, between minus and plus half a frame interval.
  public var phase: RigShot.Bounds
  /// How fast that grows: millionths, which are microseconds a second. What the clocks of the
  /// machines differ by is in it.
  public var drift: Double

  private enum CodingKeys: String, CodingKey {
    case camera, phase
    case drift = "driftPPM"
  }
}

extension [RigNodeStatus] {
  /// Says of all cameras when their frames come.
  fileprivate mutating func findPhases() {
    var reference: Rhythm?
    for index in indices {
      guard let clock = self[index].clock else { continue }
      for camera in self[index].status?.cameras ?? [] {
        guard let pace = camera.pace else { continue }
        let rhythm = Rhythm(pace: pace, clock: clock)
        let first = reference ?? rhythm
        let common = CommonPhase(interval: first.pace.interval)
        if common.has(pace, of: first.pace) {
          let place = common.place(of: rhythm, by: first, isSame: reference == nil)
          self[index].phases.append(
            CameraPhase(camera: camera.name, phase: place.bounds, drift: place.drift))
        }
        reference = first
      }
    }
  }
}

extension RigNodeStatus {
  /// Its cameras that cannot take a photo now.
  public var camerasInTheWay: [CameraStatus] {
    status?.cameras.filter { $0.readiness != .ready } ?? []
  }
}
