import CameraClient
import CameraRig
import DequeModule
import NIOCore
import OperatingSystem
import Reports

/// The events of all nodes: the newest ones as they are sent to browsers, and how each node is.
///
/// All readers share them. Each has its own place in them, so a slow one keeps up nobody and takes
/// no memory: it loses events that are no longer kept, and learns how many.
final class EventHistory: Sendable {
  /// How much is kept.
  struct Limits: Sendable {
    var events = 4096
    var bytes = 4 << 20
  }

  /// What a reader gets next.
  enum News: Sendable {
    /// Events, and the number of the last one.
    case events([ByteBuffer], last: UInt64)
    /// How the nodes are, to begin with or instead of events that are lost.
    case snapshots([EventReport], last: UInt64)
    case nothing
  }

  fileprivate struct Entry {
    var number: UInt64
    var bytes: ByteBuffer
  }

  fileprivate struct State {
    var entries: Deque<Entry> = []
    var bytes = 0
    var last: UInt64 = 0
    /// How each node is, or why it is not there.
    var nodes: [String: EventReport] = [:]
    var bells: [ObjectIdentifier: NewestSlot<UInt64>] = [:]
  }

  /// How many events a reader gets at a time.
  private static let batch = 128

  /// Tells this start of the gateway from others.
  let start: String
  private let order: [String]
  private let limits: Limits
  private let state = Mutex(State())

  /// - Parameter nodes: The names of the nodes, in the order in which their snapshots come.
  init(nodes: [String], limits: Limits = Limits(), start: UInt64 = .random(in: 0 ... .max)) {
    order = nodes
    self.limits = limits
    self.start = String(start, radix: 36)
  }

  var readers: Int { state.withLock(\.bells.count) }

  // MARK: The nodes' side

  /// Follows the nodes until the task is cancelled.
  func follow(_ nodes: [RigConnection], _ bus: CameraBus.Configuration) async throws {
    try await withMonitor(of: nodes, options: MonitorOptions(configuration: bus)) { feed in
      for try await event in feed { add(event) }
    }
  }

  func add(_ event: MonitorEvent) {
    let report = EventReport(event)
    let json = JSONText.data(of: report)
    let bells = state.withLock { state -> [NewestSlot<UInt64>] in
      state.last += 1
      var bytes = ByteBufferAllocator().buffer(capacity: json.count + 48)
      bytes.writeString("id: \(start)-\(state.last)\ndata: ")
      bytes.writeBytes(json)
      bytes.writeString("\n\n")
      state.entries.append(Entry(number: state.last, bytes: bytes))
      state.bytes += bytes.readableBytes
      while state.entries.count > limits.events || state.bytes > limits.bytes,
        let old = state.entries.popFirst()
      {
        state.bytes -= old.bytes.readableBytes
      }
      state.take(event, report)
      return Array(state.bells.values)
    }
    ring(bells)
  }

  /// Lets every reader write something, so that those that have gone are noticed, and proxies keep
  /// the connections of the others.
  func beat() { ring(state.withLock { Array($0.bells.values) }) }

  private func ring(_ bells: [NewestSlot<UInt64>]) { for bell in bells { bell.put(0) } }

  // MARK: The readers' side

  /// Adds a reader, whose bell rings when there may be news, until ``leave(_:)``.
  func join() -> NewestSlot<UInt64> {
    let bell = NewestSlot<UInt64>()
    state.withLock { $0.bells[ObjectIdentifier(bell)] = bell }
    bell.put(0)
    return bell
  }

  func leave(_ bell: NewestSlot<UInt64>) {
    bell.end()
    state.withLock { $0.bells[ObjectIdentifier(bell)] = nil }
  }

  /// The number in the id of an event of this start; nil for others.
  func number(ofID id: String) -> UInt64? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == start else { return nil }
    return UInt64(parts[1])
  }

  /// What comes behind an event.
  /// - Parameter number: The last event that the reader has; nil for one that begins.
  func news(after number: UInt64?) -> News {
    state.withLock { state in
      guard let number, number <= state.last else {
        return .snapshots(state.snapshots(order), last: state.last)
      }
      guard number < state.last else { return .nothing }
      guard let first = state.entries.first, first.number <= number + 1 else {
        let missed = EventReport(missedByReader: Int(clamping: state.last - number))
        return .snapshots([missed] + state.snapshots(order), last: state.last)
      }
      let some = state.entries.dropFirst(Int(number + 1 - first.number)).prefix(Self.batch)
      return .events(some.map(\.bytes), last: some.last?.number ?? number)
    }
  }
}

extension EventHistory.State {
  /// Keeps how the event's node is.
  fileprivate mutating func take(_ event: MonitorEvent, _ report: EventReport) {
    switch event.body {
    case .node(.event(let own)):
      guard var status = nodes[event.node]?.node, status.take(own) else { return }
      nodes[event.node]?.node = status
    case .node(.snapshot), .node(.disconnected), .awaited: nodes[event.node] = report
    default: break
    }
  }

  fileprivate func snapshots(_ order: [String]) -> [EventReport] {
    order.compactMap { nodes[$0] }
  }
}
