import CameraClient
import OperatingSystem

/// Follows one node of a monitor: connects, waits for it, and puts its events into the queue with
/// their times.
struct NodeFollower {
  /// How many readings of the clock come before the first event, and after a restart.
  private static let burst = 4
  /// The time between two readings, in which clocks drift apart by 0.2 ms at most.
  private static let readingInterval = Duration.seconds(2)
  /// The pauses between two tries, at first and at most.
  private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(2))

  private let node: RigConnection
  private let lane: Int
  private let queue: MonitorQueue
  private let options: MonitorOptions
  private let clock = NodeClock()
  private var choice: CredentialChoice
  private var position: EventPosition?
  private var hasBegun = false
  private var isReportedGone = false
  /// Why the node was not there when that was said.
  private var problem: Problem?

  init(
    _ node: RigConnection, on lane: Int, of queue: MonitorQueue, _ options: MonitorOptions
  ) {
    self.node = node
    self.lane = lane
    self.queue = queue
    self.options = options
    choice = CredentialChoice(node)
    position = options.positions[node.name]
  }

  /// Runs until its task is cancelled, or an error ends the whole feed.
  func run() async {
    var follower = self
    await follower.follow()
  }

  private mutating func follow() async {
    var pause = Self.pauses.first
    while !Task.isCancelled {
      let error = await attempt()
      guard !Task.isCancelled else { return }
      if error.code == .invalidArgument { return queue.fail(error) }
      if choice.goOn(after: error) { continue }
      choice.startOver()
      await report(error)
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, Self.pauses.longest)
    }
  }

  /// Follows the node over one connection.
  /// - Returns: Why that has ended.
  private mutating func attempt() async -> CameraBusError {
    do throws(CameraBusError) {
      let bus = try choice.bus(options.configuration)
      let result: Result<Void, CameraBusError>
      do throws(CameraBusError) {
        result = .success(try await follow(bus))
      } catch {
        result = .failure(error)
      }
      await bus.close()
      try result.get()
      return CameraBusError(.cancelled, "the monitor was closed")
    } catch {
      return error
    }
  }

  private mutating func follow(_ bus: CameraBus) async throws(CameraBusError) {
    try await readClock(of: bus)
    problem = nil
    let events =
      position.map { bus.events(after: $0) }
      ?? bus.events(includingHistory: options.includesHistory && !hasBegun)
    let clock = clock
    let result = await withTaskGroup(of: Void.self) { group in
      group.addTask { await Self.keep(clock, by: bus) }
      defer { group.cancelAll() }
      do throws(CameraBusError) {
        return Result<Void, CameraBusError>.success(try await read(events, of: bus))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private mutating func read(
    _ events: EventSequence, of bus: CameraBus
  ) async throws(CameraBusError) {
    var events = events.makeAsyncIterator()
    while let event = try await events.next() {
      let arrived = MonotonicInstant.now
      if position == nil, case .snapshot(let status) = event {
        position = status.eventPosition
      } else if position == nil, case .event(let first) = event {
        position = EventPosition(epoch: first.epoch)
      }
      position?.take(event)
      await reportReturn(before: event, at: arrived)
      switch event {
      case .nodeRestarted, .reconnected:
        await put(.node(event), at: arrived)
        // Where it does not answer, it is silent again, or older than such requests.
        try? await readClock(of: bus)
      case .event(let event):
        if concerns(event.camera) { await put(event, arrived) }
      case .snapshot(let status):
        await put(
          .node(.snapshot(node.ofRig(status))),
          clock.time(of: status.now.monotonic, arrived: arrived), arrived)
        if !hasBegun { queue.settle(lane) }
        hasBegun = true
      case .gap(_, let camera, _):
        if concerns(camera) { await put(.node(event), at: arrived) }
      default: await put(.node(event), at: arrived)
      }
    }
  }

  /// Whether a camera belongs to the rig; `_node` stands for the node itself.
  private func concerns(_ camera: String) -> Bool {
    camera.hasPrefix("_") || node.cameras?.contains(camera) ?? true
  }

  // MARK: Clock

  private func readClock(of bus: CameraBus) async throws(CameraBusError) {
    for _ in 0..<Self.burst {
      do throws(CameraBusError) {
        clock.add(try await bus.clock())
      } catch {
        // An older node, whose times stay unknown.
        guard error.code == .unsupported else { throw error }
        return
      }
    }
  }

  private static func keep(_ clock: NodeClock, by bus: CameraBus) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: readingInterval)
      if let reading = try? await bus.clock() { clock.add(reading) }
    }
  }

  // MARK: To the reader

  private mutating func report(_ error: CameraBusError) async {
    let problem = Problem(error)
    defer { self.problem = problem }
    if hasBegun {
      guard !isReportedGone || problem.code != self.problem?.code else { return }
      isReportedGone = true
      await put(.node(.disconnected(problem)), at: .now)
    } else if problem.code != self.problem?.code {
      await put(.awaited(problem), at: .now)
      queue.settle(lane)
    }
  }

  /// Says that the node is back, if the connection before this one has ended with its silence.
  private mutating func reportReturn(
    before event: NodeEvent, at arrived: MonotonicInstant
  ) async {
    guard isReportedGone else { return }
    switch event {
    case .disconnected: return
    case .reconnected: isReportedGone = false
    default:
      isReportedGone = false
      await put(.node(.reconnected), at: arrived)
    }
  }

  private mutating func put(_ event: CameraEvent, _ arrived: MonotonicInstant) async {
    let time = clock.time(of: event.time.monotonic, arrived: arrived)
    await put(.node(.event(event)), time, arrived)
  }

  /// Puts in what this machine noticed by itself.
  private mutating func put(_ body: MonitorEvent.Body, at moment: MonotonicInstant) async {
    await put(body, EstimatedTime(moment: moment, error: .zero), moment)
  }

  private mutating func put(
    _ body: MonitorEvent.Body, _ time: EstimatedTime, _ arrived: MonotonicInstant
  ) async {
    if clock.takeChange() {
      await queue.put(
        MonitorEvent(
          node: node.name, body: .clockChanged,
          time: EstimatedTime(moment: arrived, error: .zero), isLate: false),
        on: lane, arrived: arrived)
    }
    await queue.put(
      MonitorEvent(node: node.name, body: body, time: time, isLate: false), on: lane,
      arrived: arrived)
  }
}

/// What is known of a node's clock, for the tasks that follow it.
private final class NodeClock: Sendable {
  private struct State {
    var estimate = ClockEstimate()
    /// Whether a change of a clock is not reported yet.
    var isChanged = false
  }

  private let state = Mutex(State())

  func add(_ reading: ClockReading) {
    state.withLock { if $0.estimate.add(reading) == .clockChanged { $0.isChanged = true } }
  }

  /// Whether a clock was changed since this was asked last.
  func takeChange() -> Bool {
    state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged
    }
  }

  func time(of moment: MonotonicInstant, arrived: MonotonicInstant) -> EstimatedTime {
    EstimatedTime(moment, arrived: arrived, by: state.withLock(\.estimate))
  }
}
