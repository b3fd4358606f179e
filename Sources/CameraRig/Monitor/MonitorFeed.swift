public import CameraClient

/// The events of many nodes as one stream, in the order of their times: see
/// ``withMonitor(of:options:_:)``.
///
/// The events of one node's camera and kind come in the order of their numbers, each once, or a gap
/// says how many are lost. Between nodes the order is that of their estimated times. For that each
/// event is held back for a short window, so that one that happened earlier elsewhere may still
/// overtake it. One that comes later than that is handed out at once, and is marked as late. So a
/// node that is slow or gone holds up nobody. Errors of the estimates are not waited for: two
/// events whose bounds overlap may have happened in the other order.
///
/// Policy: a share of about 8192 events for each node waits here for the reader, between 16 and
/// 1024, and up to 2048 more for each node before that. Events that find no room are fetched from
/// their node later. <doc:FollowingNodes> says more.
///
/// It fails with `invalidArgument` where a position is not its node's. Nodes that are not there, or
/// go, are elements, not failures. A second reader gets what the first one leaves: let one read.
public struct MonitorFeed: AsyncSequence, Sendable {
  /// An event of a node, or what became of it.
  public typealias Element = MonitorEvent
  /// Why it could not go on.
  public typealias Failure = CameraBusError

  let queue: MonitorQueue
  /// Follows the nodes for as long as it is there; nil where ``withMonitor(of:options:_:)`` does.
  private var followers: MonitorFollowers?

  init(queue: MonitorQueue) { self.queue = queue }

  /// Follows nodes until nobody has the feed or an iterator of it.
  ///
  /// - Throws: As ``withMonitor(of:options:_:)``.
  init(following nodes: [RigConnection], _ options: MonitorOptions) throws(CameraBusError) {
    try check(nodes, options)
    queue = MonitorQueue(nodes, options)
    followers = MonitorFollowers(nodes, queue, options)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue, followers: followers) }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    let queue: MonitorQueue
    fileprivate let followers: MonitorFollowers?

    /// The next event; nil when the reader's task was cancelled.
    public mutating func next() async throws(CameraBusError) -> MonitorEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; nil when the reader's task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> MonitorEvent? {
      while !Task.isCancelled {
        switch queue.take(at: .now) {
        case .event(let event): return event
        case .failed(let error): throw error
        case .wait(let moment): await queue.wait(until: moment)
        }
      }
      return nil
    }
  }
}

/// How a monitor of many nodes begins, and how long it waits for slow ones.
public struct MonitorOptions: Hashable, Sendable {
  /// How long events are held back to be put in order.
  public var window: Duration
  /// Whether to begin with the events from before, as far as the nodes keep them. Up to three
  /// seconds are waited for the nodes, so that these are in order too.
  public var includesHistory: Bool
  /// Where to go on, by the nodes' names in the rig, instead of a history. Other nodes begin with
  /// the present.
  public var positions: [String: EventPosition]
  /// Endpoints and timeouts of the connections, without credentials.
  public var configuration: CameraBus.Configuration

  /// A quarter of a second is more than the delay of most networks.
  public static let standardWindow = Duration.milliseconds(250)

  /// Options. The defaults suit nearly every program.
  public init(
    window: Duration = standardWindow, includesHistory: Bool = false,
    positions: [String: EventPosition] = [:], configuration: CameraBus.Configuration = .init()
  ) {
    self.window = window
    self.includesHistory = includesHistory
    self.positions = positions
    self.configuration = configuration
  }
}

/// How long the past of the nodes is waited for.
private let longestBeginning = Duration.seconds(3)
private let longestWindow = Duration.seconds(60)

/// Follows the events of many nodes for as long as `body` runs.
///
/// ```swift
/// let rig = try RigDescription(nodes: ["desk", "tcp://192.168.0.21:5570"])
/// try await withMonitor(of: rig.connections()) { feed in
///   for try await event in feed { print(event.node, event.body) }
/// }
/// ```
/// It keeps a connection to each node, follows its clock by a reading every two seconds, and waits
/// for nodes that are not there.
/// - Parameters:
///   - nodes: Where they are; their names must be unique.
///   - options: How to begin.
///   - body: Reads the feed, which ends with it.
/// - Returns: What `body` returns.
/// - Throws: `invalidArgument` for no node, too many, two of the same name, a window outside of 0
///   to 60 seconds, and a position of a node that is not there; otherwise what `body` throws.
public func withMonitor<R>(
  of nodes: [RigConnection], options: MonitorOptions = MonitorOptions(),
  _ body: (MonitorFeed) async throws -> R
) async throws -> R {
  try check(nodes, options)
  let queue = MonitorQueue(nodes, options)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    for (lane, node) in nodes.enumerated() {
      group.addTask { await NodeFollower(node, on: lane, of: queue, options).run() }
    }
    defer { group.cancelAll() }
    return try await body(MonitorFeed(queue: queue))
  }
}

/// The tasks that follow the nodes of a feed. They end with their owner.
private final class MonitorFollowers: Sendable {
  private let task: Task<Void, Never>

  init(_ nodes: [RigConnection], _ queue: MonitorQueue, _ options: MonitorOptions) {
    task = Task {
      await withDiscardingTaskGroup { group in
        for (lane, node) in nodes.enumerated() {
          group.addTask { await NodeFollower(node, on: lane, of: queue, options).run() }
        }
      }
    }
  }

  deinit { task.cancel() }
}

extension MonitorQueue {
  fileprivate convenience init(_ nodes: [RigConnection], _ options: MonitorOptions) {
    let isPast = options.includesHistory || !options.positions.isEmpty
    let merge = EventMerge<MonitorEvent>(
      lanes: nodes.count, window: options.window,
      beginning: isPast ? .now + longestBeginning : .init(nanoseconds: .min))
    self.init(merge, lanes: nodes.count)
  }
}

private func check(
  _ nodes: [RigConnection], _ options: MonitorOptions
) throws(CameraBusError) {
  func mistake(_ message: String, _ field: String) -> CameraBusError {
    CameraBusError(.invalidArgument, message, field: field)
  }
  guard (1...RigDescription.nodeLimit).contains(nodes.count) else {
    throw mistake(
      "a monitor follows 1 to \(RigDescription.nodeLimit) nodes, not \(nodes.count)", "nodes")
  }
  let names = Set(nodes.map(\.name))
  guard names.count == nodes.count else {
    throw mistake("two nodes have the same name: give each a name of its own", "nodes")
  }
  guard Duration.zero...longestWindow ~= options.window else {
    throw mistake("the window is between 0 and 60 seconds", "window")
  }
  if let other = options.positions.keys.sorted().first(where: { !names.contains($0) }) {
    throw mistake("no node is called \(other): name the node of each position", "positions")
  }
}
