import CameraClient

/// The connection to one node of a rig, and what is known of its clock.
actor RigLink {
  /// How many readings bound a clock at first, and how many more later.
  private static let (first, further) = (8, 4)

  nonisolated let connection: RigConnection
  private let configuration: CameraBus.Configuration
  private let wall: OwnWallClock
  /// Which of the connection's credentials fit, as far as is known.
  private var choice = 0
  private var bus: CameraBus?
  private var estimate = ClockEstimate()
  private var hasReadings = false
  /// The longest time that a reading of the last burst took.
  private(set) var roundTrip = Duration.zero

  init(
    _ connection: RigConnection, _ configuration: CameraBus.Configuration, _ wall: OwnWallClock
  ) {
    self.connection = connection
    self.wall = wall
    self.configuration = configuration
  }

  /// The connection, which is made by its first use.
  func open() throws(CameraBusError) -> CameraBus {
    if let bus { return bus }
    var configuration = configuration
    configuration.credentials = connection.credentials[choice]
    let bus = try CameraBus(connection.control, configuration: configuration)
    self.bus = bus
    return bus
  }

  /// How the node and its cameras of the rig are.
  func status() async throws(CameraBusError) -> NodeStatus {
    while true {
      do throws(CameraBusError) {
        return connection.ofRig(try await open().status())
      } catch {
        guard error.code == .wrongNode, choice + 1 < connection.credentials.count else {
          throw error
        }
        choice += 1
        await bus?.close()
        bus = nil
      }
    }
  }

  /// Reads the node's clock some times.
  /// - Returns: Whether a clock was changed since the readings before.
  @discardableResult
  func readClock() async throws(CameraBusError) -> Bool {
    let bus = try open()
    var (longest, isChanged) = (Duration.zero, false)
    for _ in 0..<(hasReadings ? Self.further : Self.first) {
      let reading = try await bus.clock()
      if estimate.add(reading, own: wall.now()) == .clockChanged { isChanged = true }
      longest = max(longest, reading.received - reading.sent)
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

  func close() async { await bus?.close() }
}
