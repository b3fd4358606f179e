import CConnections
import EventLoop
import Logging
import OperatingSystem
import ZeroMQ

import struct Synchronization.Atomic

/// Watches the connections of the node's endpoints, and ends those that take more than their share.
///
/// It has a thread of its own, so that it acts in time however busy the node is. It sleeps while no
/// connection has input. After input it waits for a moment, measures, and arms the connections
/// again: so a connection costs at most fifty measurements a second, and none while it is silent.
// @unchecked: the table has a lock; everything else belongs to the watch's loop.
final class ConnectionWatch: @unchecked Sendable {
  /// How long libzmq may receive before the watch measures. libzmq fills at most about a gigabyte a
  /// second, because it has one thread for all connections.
  static let interval = Duration.milliseconds(20)
  /// How long freed memory may wait before it goes back to the system, so that this happens at most
  /// once a second.
  private static let trimDelay = Duration.seconds(1)
  /// When what was kept for their requests is freed too.
  private static let lastTrimDelay = Duration.seconds(5)

  let access: AccessList
  let loop: EventLoop
  private let alarms: InputAlarms
  private let table: Mutex<ConnectionTable<PeerConnection>>
  private let limits: ConnectionLimits
  private var monitors: [WatchedEndpoint: ConnectionMonitor] = [:]
  /// The numbers of the endpoints' sockets.
  private var groups: [WatchedEndpoint: UInt32] = [:]
  /// The sockets that accept the connections.
  private var listeners: [WatchedEndpoint: Set<Int32>] = [:]
  /// The descriptors that had input since the last measurement.
  private var active: Set<Int32> = []
  private var input: Watch?
  private var measurement: LoopTimer?
  private var trim: LoopTimer?
  private var lastTrim: LoopTimer?
  private let log: EndedConnectionLog
  private var rates = ConnectionRates()
  private var stalls: [WatchedEndpoint: StallSearch] = [:]
  private let refusalCount = Atomic<UInt64>(0)
  private var refusalHandler: (@Sendable (ConnectionRequest?) -> Void)?
  /// The last that was refused and has not ended yet.
  private var refusedRequest: ConnectionRequest?
  private var endHandlers: [WatchedEndpoint: @Sendable (PeerConnection) -> Void] = [:]

  init(
    on loop: EventLoop, access: AccessList, limits: ConnectionLimits, log: Logger
  ) throws(LoopShortage) {
    guard let alarms = InputAlarms() else {
      throw LoopShortage(name: loop.name, what: .descriptor)
    }
    self.access = access
    self.loop = loop
    self.alarms = alarms
    self.log = EndedConnectionLog(on: loop, log)
    self.limits = limits
    table = Mutex(ConnectionTable(limits: limits))
  }

  func watch(
    _ endpoint: WatchedEndpoint, in context: Context
  ) async throws(ZeroMQError) -> EndpointWatch {
    let group = CConnections_new_group()
    let monitor = try await loop.run { [self] () throws(ZeroMQError) in
      groups[endpoint] = group
      let monitor = try ConnectionMonitor(context, on: loop) { [weak self] event in
        if let descriptor = event.descriptor {
          self?.take(event.kind, descriptor, at: endpoint)
        } else if case .handshakeFailed(let failure) = event.kind, !failure.isSilence {
          self?.refused()
        }
      }
      monitors[endpoint] = monitor
      if input == nil {
        input = loop.watch(alarms.descriptor, for: .readable) { [weak self] in self?.takeInput() }
      }
      return monitor
    }
    return EndpointWatch(endpoint, group, monitor, self)
  }

  /// Starts to decide who may connect.
  func judge(in context: Context) async throws(ZeroMQError) -> ZAPHandler {
    try await loop.run { [self] () throws(ZeroMQError) in
      try ZAPHandler(context, on: loop) { [weak self, access] request in
        let admission = access.admission(of: request)
        if admission == .refused { self?.refusedRequest = request }
        return admission
      }
    }
  }

  /// Call it after the endpoint's socket was closed.
  func forget(_ endpoint: WatchedEndpoint) async {
    await loop.run { [self] in
      monitors.removeValue(forKey: endpoint)?.close()
      listeners[endpoint] = nil
      groups[endpoint] = nil
      table.withLock { $0.forget(endpoint) }
    }
  }

  /// Call it after the sockets were closed.
  func close() async {
    await loop.run { [self] in
      for monitor in monitors.values { monitor.close() }
      monitors = [:]
      input?.cancel()
      measurement?.cancel()
      trim?.cancel()
      lastTrim?.cancel()
      log.close()
      // They hold what holds this.
      refusalHandler = nil
      endHandlers = [:]
    }
  }

  // MARK: From the endpoints' threads

  /// The node has read a message.
  /// - Parameter connection: Of its first part.
  func read(
    _ parts: ArraySlice<Message>, of connection: PeerConnection?, at endpoint: WatchedEndpoint,
    _ group: UInt32
  ) {
    // Without keys nobody is known by name.
    let user = access.requiresKeys ? parts.first?.userID : nil
    let byteCount = parts.wireByteCount(isEncrypted: access.isEncrypted(user))
    CConnections_read_of(group, UInt64(byteCount))
    guard let connection else { return }
    let read = table.withLock { $0.read(byteCount, of: connection, user, at: endpoint) }
    connection.hasRead(read)
  }

  /// The node has read every whole message.
  func hasRead(all endpoint: WatchedEndpoint, _ group: UInt32) {
    table.withLock { $0.hasRead(all: endpoint) }
    CConnections_drained(group)
  }

  // MARK: Connections

  /// Takes what the monitor of an endpoint tells about a descriptor.
  func take(_ event: MonitorEvent.Kind, _ descriptor: Int32, at endpoint: WatchedEndpoint) {
    switch event {
    case .listening:
      listeners[endpoint, default: []].insert(descriptor)
      guard let group = groups[endpoint] else { return }
      CConnections_bound(
        descriptor, group, UInt64(limits.unreadByteCount(endpoint)),
        UInt64(limits.unreadByteCountOfAll(endpoint)))
    case .accepted:
      // The connection may have ended since, and another endpoint's may have its descriptor.
      guard let connection = PeerConnection(descriptor: descriptor),
        let listener = connection.listener, listeners[endpoint]?.contains(listener) == true,
        !table.withLock({ $0.knows(connection, at: endpoint) })
      else { return }
      let origin = connection.origin
      _ = table.withLock { $0.opened(connection, at: endpoint, from: origin) }
      guard endpoint.kind == .control || rates.take(endpoint, from: origin, at: .now) else {
        return end(connection, .tooFast(endpoint))
      }
      alarms.add(descriptor)
      endExcess(at: endpoint)
    case .disconnected:
      let connection = table.withLock { $0.closed(descriptor, at: endpoint) }
      if let connection { endHandlers[endpoint]?(connection) }
      scheduleTrim()
    default: break
    }
  }

  private func refused() {
    guard access.requiresKeys else { return }
    refusalCount.add(1, ordering: .relaxed)
    refusalHandler?(refusedRequest)
    refusedRequest = nil
  }

  /// The peers that were refused in their handshakes.
  var refusals: UInt64 { refusalCount.load(ordering: .relaxed) }

  /// Calls the handler for each peer that was refused in its handshake, with what it had shown, if
  /// it came so far. Can be called on any thread.
  func onRefusal(_ handler: @escaping @Sendable (ConnectionRequest?) -> Void) {
    _ = loop.performUnlessStopped { [self] in refusalHandler = handler }
  }

  /// Calls the handler for each connection of the endpoint that has ended. Can be called on any
  /// thread.
  func onEnd(
    at endpoint: WatchedEndpoint, _ handler: @escaping @Sendable (PeerConnection) -> Void
  ) {
    _ = loop.performUnlessStopped { [self] in endHandlers[endpoint] = handler }
  }

  /// Ends the connections that take nothing for a while.
  func endStalled(at endpoint: WatchedEndpoint) {
    _ = loop.performUnlessStopped { [self] in
      guard stalls[endpoint] == nil else { return }
      stalls[endpoint] = StallSearch(table.withLock { $0.connections(at: endpoint) })
      searchStalls(at: endpoint)
    }
  }

  private func searchStalls(at endpoint: WatchedEndpoint) {
    let stalled = stalls[endpoint]?.look()
    if let stalled {
      for connection in stalled { end(connection, .takesNothing) }
      stalls[endpoint] = nil
      return
    }
    loop.schedule(at: .now + StallSearch.interval) { [weak self] in
      self?.searchStalls(at: endpoint)
    }
  }

  private func endExcess(at endpoint: WatchedEndpoint) {
    let excess = table.withLock { $0.excess(at: endpoint) }
    if let excess { end(excess, .tooMany(endpoint)) }
  }

  /// Ends the connections of a user who may not use the node any more. Can be called on any thread.
  func end(user: String) {
    for connection in table.withLock({ $0.connections(of: user) }) { _ = connection.end() }
  }

  /// Can be called on any thread.
  func end(_ connection: PeerConnection, _ reason: EndedConnectionLog.Reason) {
    let origin = connection.origin
    guard connection.end() else { return }
    _ = loop.performUnlessStopped { [self] in log.add(origin, reason) }
  }

  // MARK: Memory

  private func takeInput() {
    active.formUnion(alarms.take())
    guard measurement == nil else { return }
    measurement = loop.schedule(at: .now + Self.interval) { [weak self] in
      self?.measurement = nil
      self?.measure()
    }
  }

  private func measure() {
    let measured = table.withLock { table in active.flatMap { table.connections(on: $0) } }
      .compactMap { number, connection in connection.receivedByteCount.map { (number, $0) } }
    let greedy = table.withLock { table in
      for (number, byteCount) in measured { table.received(byteCount, over: number) }
      return table.greedy()
    }
    for connection in greedy { end(connection, .sendsWithoutEnd) }
    for descriptor in active { alarms.arm(descriptor) }
    active = []
  }

  /// Gives freed memory back to the system soon. Can be called on any thread.
  func trimMemory() { _ = loop.performUnlessStopped { [self] in scheduleTrim() } }

  private func scheduleTrim() {
    guard trim == nil else { return }
    trim = loop.schedule(at: .now + Self.trimDelay) { [weak self] in
      self?.trim = nil
      ProcessMemory.trim()
    }
    lastTrim?.cancel()
    lastTrim = loop.schedule(at: .now + Self.lastTrimDelay) { ProcessMemory.trim() }
  }
}
