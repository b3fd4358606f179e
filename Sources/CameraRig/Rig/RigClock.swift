public import CameraClient
import OperatingSystem

/// What is known of the clock of a rig's node.
public struct RigClock: Hashable, Sendable, Codable {
  /// What the bounds of an offset come from.
  public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
    /// The node has this machine's clock.
    case sameClock
    /// The node's answers to questions.
    case exchanges
    /// These, and the bounds of both wall clocks.
    case wallClocks
  }

  /// What the node is called in the rig.
  public var name: String
  /// How far its clock is ahead of this machine's; nil if it does not answer.
  public var offset: ClockOffset?
  /// What bounds the offset.
  public var source: Source?
  /// Who says how wrong the node's wall clock may be; nil if nobody does.
  public var wallSource: ClockReading.WallSource?
  /// Whether the bounds of the wall clocks contradict the answers, and so do not count.
  public var isWallWrong: Bool
  /// How long the quickest of the last questions took, there and back.
  public var roundTrip: Duration?
  /// By how much each bound of the offset grows in a second without a question, because clocks
  /// drift apart.
  public var driftPerSecond: Duration?
  /// Why it does not answer.
  public var problem: Problem?

  private enum CodingKeys: String, CodingKey {
    case name, offset, source, wallSource, isWallWrong
    case roundTrip = "roundTripNanoseconds"
    case driftPerSecond = "driftPerSecondNanoseconds"
    case problem
  }
}

extension RigClock {
  init(_ name: String, _ problem: Problem) {
    (self.name, self.problem) = (name, problem)
    isWallWrong = false
  }

  /// - Parameters:
  ///   - estimate: Of at least one reading.
  ///   - reading: The last of them.
  ///   - knowsOwnWall: Whether it is known how wrong this machine's wall clock may be.
  init(
    _ name: String, _ estimate: ClockEstimate, _ reading: ClockReading, knowsOwnWall: Bool,
    roundTrip: Duration
  ) {
    self.name = name
    offset = estimate.offset(at: .now)
    isWallWrong = estimate.isWallWrong
    self.roundTrip = roundTrip
    wallSource = reading.wallSource
    let isSame = offset == ClockOffset(least: .zero, most: .zero)
    driftPerSecond = isSame ? .zero : .seconds(1) / ClockEstimate.drift
    let hasWalls = knowsOwnWall && reading.answered.wallError != nil && !isWallWrong
    source = isSame ? .sameClock : hasWalls ? .wallClocks : .exchanges
  }
}

extension Rig {
  /// How far the clocks of all nodes are ahead of this machine's, in the order of the description.
  /// Each node is asked some times.
  public var clocks: [RigClock] {
    get async {
      await each { link throws(CameraBusError) in
        try await link.readClock()
        return await link.clock
      }.map { link, result in
        switch result {
        case .success(let clock?): clock
        case .success(nil):
          RigClock(
            link.connection.name,
            Problem(
              code: .conflict,
              message: "the clock of node \(link.connection.name) is not known: try again"))
        case .failure(let error): RigClock(link.connection.name, Problem(error))
        }
      }
    }
  }
}
