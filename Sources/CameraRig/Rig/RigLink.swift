package import CameraClient

/// The connection to one node of a rig, and what is known of its clock.
package actor RigLink {
  /// How many readings bound a clock at first, and how many more later.
  private static let (first, further) = (8, 4)
  /// The connection gives up at the same time, and can say more of the reason.
  private static let slack = Duration.milliseconds(200)

  package nonisolated let connection: RigConnection
  private nonisolated let configuration: CameraBus.Configuration
  private let wall: OwnWallClock
  private var choice: CredentialChoice
  private var bus: CameraBus?
  private var estimate = ClockEstimate()
  private var hasReadings = false
  /// What is known of the clock since the last burst; nil before the first.
  private(set) var clock: RigClock?
  /// The longest time that a reading of the last burst took.
  private(set) var roundTrip = Duration.zero

  init(
    _ connection: RigConnection, _ configuration: CameraBus.Configuration, _ wall: OwnWallClock
  ) {
    self.connection = connection
    self.wall = wall
    self.configuration = configuration
    choice = CredentialChoice(connection)
  }

  /// For a program that has no use for the node's clock.
  package init(_ connection: RigConnection, _ configuration: CameraBus.Configuration) {
    self.init(connection, configuration, OwnWallClock())
  }

  /// The connection, which is made by its first use.
  package func open() throws(CameraBusError) -> CameraBus {
    if let bus { return bus }
    let bus = try choice.bus(configuration)
    self.bus = bus
    return bus
  }

  /// How the node and its cameras of the rig are.
  package func status() async throws(CameraBusError) -> NodeStatus {
    try await asking { (bus) throws(CameraBusError) in connection.ofRig(try await bus.status()) }
  }

  /// Asks the node something, and again with its next credentials while these are for another node.
  package func asking<R: Sendable>(
    _ ask: @Sendable (CameraBus) async throws(CameraBusError) -> R
  ) async throws(CameraBusError) -> R {
    while true {
      let bus = try open()
      do throws(CameraBusError) {
        return try await ask(bus)
      } catch {
        // Somebody else may have gone on, and closed this one, meanwhile.
        guard bus === self.bus else { continue }
        guard choice.goOn(after: error) else { throw error }
        self.bus = nil
        await bus.close()
      }
    }
  }

  /// How the node is, with readings of its clock.
  /// - Throws: Also `timedOut` for a node that takes longer than `connectTimeout` in all, so that
  ///   the others need not wait for it.
  nonisolated func introduction() async throws(CameraBusError) -> NodeStatus {
    let (limit, name) = (configuration.connectTimeout, connection.name)
    return try await race(
      for: limit + Self.slack,
      late:
        "the node \(name) has not answered within \(limit): see whether it runs, or give it longer",
      cancelled: "the shot was given up"
    ) { () throws(CameraBusError) in
      let status = try await self.status()
      try await self.readClock()
      return status
    }
  }

  /// Reads the node's clock some times.
  /// - Returns: Whether a clock was changed since the readings before.
  @discardableResult
  func readClock() async throws(CameraBusError) -> Bool {
    var (longest, quickest, isChanged) = (Duration.zero, nil as Duration?, false)
    var last: (reading: ClockReading, own: ClockEstimate.WallClock?)?
    for _ in 0..<(hasReadings ? Self.further : Self.first) {
      let reading = try await asking { (bus) throws(CameraBusError) in try await bus.clock() }
      let own = wall.now()
      if estimate.add(reading, own: own) == .clockChanged { isChanged = true }
      let roundTrip = reading.received - reading.sent
      (longest, quickest) = (max(longest, roundTrip), min(quickest ?? roundTrip, roundTrip))
      last = (reading, own)
    }
    clock = last.map { reading, own in
      RigClock(
        connection.name, estimate, reading, knowsOwnWall: own != nil, roundTrip: quickest ?? .zero)
    }
    (roundTrip, hasReadings) = (longest, true)
    return isChanged
  }

  /// How far the node's clock is ahead of this machine's at a moment; nil before the first reading.
  func offset(at moment: MonotonicInstant) -> ClockOffset? { estimate.offset(at: moment) }

  /// How far the node's clock is ahead of this machine's at a moment.
  /// - Throws: `conflict` before the first reading.
  func knownOffset(at moment: MonotonicInstant) throws(CameraBusError) -> ClockOffset {
    if let offset = offset(at: moment) { return offset }
    throw CameraBusError(
      .conflict, "the clock of node \(connection.name) is not known: try again")
  }

  package func close() async { await bus?.close() }
}
