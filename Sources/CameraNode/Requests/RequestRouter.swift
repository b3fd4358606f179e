import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Keys
import Logging
import OperatingSystem
import ZeroMQ

/// The control endpoint: reads requests, remembers them, and passes each new one to the service
/// that the table names for it.
///
/// The services know what a request means. The router keeps track of its id (a retry is never
/// served twice), its clients, its limits and its replies.
@ControlLoop final class RequestRouter {
  /// Finds the entry of a request by its body.
  typealias Table = @ControlLoop (WireRequest.OneOf_Body) -> RequestEntry

  /// How long a client waits when its request does not say.
  static let defaultDeadline = Duration.seconds(30)
  /// The most requests to read before other work on the loop gets its turn.
  static let requestsPerTurn = 32
  private static let longestReading = Duration.milliseconds(2)

  struct Counters {
    var malformed: UInt64 = 0
    var busy: UInt64 = 0
    /// Requests that their clients may not make.
    var forbidden: UInt64 = 0
    /// Replies dropped because the client had disconnected or had too much waiting.
    var undeliverable: UInt64 = 0
  }

  /// The socket and the outbox that sends on it.
  struct Connection {
    let socket: Socket<Router>
    let outbox: Outbox
    let watch: EndpointWatch
    let access: AccessList
  }

  /// Who has sent a request.
  private struct Asker {
    let address: ClientAddress
    let holder: Holder
    let access: Access
  }

  enum State {
    /// The socket is bound. Requests wait in it.
    case open(Connection)
    case serving(Connection, Table)
    /// New requests are refused; retries are still answered.
    case stopping(Connection, Table)
    case closed
  }

  let loop = ControlLoop.shared.loop
  let epoch: Epoch
  var state: State
  var memory: RequestMemory
  var counters = Counters()
  /// The requests in progress.
  var calls: [RequestID: Call] = [:]
  /// Tasks that have not ended, each with the kind of its request.
  var tasks: [Int: (kind: String, task: Task<Void, Never>)] = [:]
  var taskCount = 0
  var expiry: LoopTimer?
  /// Called for each request that is made under a lease.
  private var onLease: ((RequestID, Holder) -> Void)?
  let log: PacedLog

  private init(
    _ connection: Connection, epoch: Epoch, limits: NodeLimits, log: Logger
  ) {
    self.log = PacedLog(log)
    self.epoch = epoch
    state = .open(connection)
    memory = RequestMemory(limits: limits.requests)
  }

  /// Binds the endpoint. Requests wait in the socket until ``serve(_:)``.
  /// - Returns: The router, and the endpoint with wildcards resolved.
  static func open(
    at place: EndpointPlace, limits: NodeLimits, log: Logger
  ) throws(ZeroMQError) -> (router: RequestRouter, endpoint: String) {
    let connections = place.connections
    let socket = try Socket<Router>(place.context, on: ControlLoop.shared.loop)
    socket.maximumMessageSize = Framing.maximumMessageSize
    socket.maximumParts = Framing.maximumParts + 1
    socket.receiveHighWaterMark = limits.requests.requestsPerClient
    try connections.begin(socket)
    let bound = try place.doors.bind(socket, place.endpoint, ipc: place.ipc, .control)
    let outbox = Outbox(
      socket, byteLimit: limits.unsentByteCount, totalByteLimit: limits.unsentByteCountOfAll,
      end: { connections.end($0, .takesNothing) })
    let connection = Connection(
      socket: socket, outbox: outbox, watch: connections, access: place.doors.list)
    return (RequestRouter(connection, epoch: place.epoch, limits: limits, log: log), bound)
  }

  /// Runs `body` on the control loop soon, unless the router is closed by then. Can be called on
  /// any thread.
  nonisolated func enter(_ body: @escaping @ControlLoop () -> Void) {
    ControlLoop.enter { [self] in
      if case .closed = state { return }
      body()
    }
  }

  /// Starts to serve requests by this table.
  /// - Parameter onLease: Called for each request that is made under a lease.
  func serve(
    onLease: @escaping @ControlLoop (RequestID, Holder) -> Void = { _, _ in },
    _ table: @escaping Table
  ) {
    guard case .open(let connection) = state else { return }
    self.onLease = onLease
    state = .serving(connection, table)
    connection.watch.onEnd { [weak self] peer in
      self?.enter { [weak self] in self?.connectionHasEnded(peer) }
    }
    connection.outbox.onRoom { [weak self] client in
      self?.enter { [weak self] in self?.clientHasRoom(client) }
    }
    connection.outbox.onLull { [watch = connection.watch] in watch.trimMemory() }
    connection.socket.onReadable { [weak self] in self?.readRequests() }
  }

  /// Refuses new requests from now on, and those that wait for their turn. Requests that have begun
  /// continue.
  func stopServing() {
    guard case .serving(let connection, let table) = state else { return }
    state = .stopping(connection, table)
    for call in calls.values { call.stop() }
  }

  /// Whether the node stops, so that requests should do no more than they must.
  var isStopping: Bool {
    switch state {
    case .open, .serving: false
    case .stopping, .closed: true
    }
  }

  /// Fails the requests still in progress, waits until their tasks have ended, and closes the
  /// socket.
  func close() async {
    stopServing()
    for call in calls.values { call.fail(CaptureError.nodeStops) }
    await ended { _ in true }
    expiry?.cancel()
    connection?.socket.close()
    onLease = nil
    state = .closed
  }

  var connection: Connection? {
    switch state {
    case .open(let connection), .serving(let connection, _), .stopping(let connection, _):
      connection
    case .closed: nil
    }
  }

  // MARK: Requests

  private func readRequests() {
    let latest = MonotonicTime.now + Self.longestReading
    for _ in 0..<Self.requestsPerTurn where .now < latest {
      do throws(ZeroMQError) {
        guard let message = try connection?.socket.receive() else {
          connection?.watch.hasReadAll()
          return
        }
        let peer = message.last?.acceptedConnection
        connection?.watch.read(message.dropFirst(), of: peer)
        read(message, from: peer)
      } catch {
        // The message had too many parts and was dropped whole. The socket still works.
        counters.malformed += 1
      }
    }
  }

  private func read(_ message: [ZeroMQ.Message], from peer: PeerConnection?) {
    guard let client = message.first?.bytes else { return }
    if let peer { connection?.outbox.received(from: client, over: peer) }
    // Before the request is read, because reading it may be what the loop gets stuck in.
    let byteCount = message.dropFirst().reduce(0) { $0 + $1.count }
    loop.note(request: Self.words(forRequestOf: byteCount, from: peer))
    let request: WireRequest
    let id: RequestID
    do throws(RequestRefusal) {
      (request, id) = try WireRequest.read(message.dropFirst())
    } catch {
      counters.malformed += 1
      // The id may be that of a request that was served: this reply does not end it.
      let isKnown = RequestID(bytes: error.id).map(memory.knows) ?? false
      send(refusal(of: error.id, error.error, index: isKnown ? 0 : 1), to: client)
      return
    }
    guard let (kind, entry) = entry(of: request) else { return }
    loop.note(request: kind)
    guard request.epoch.isEmpty || request.epoch == epoch.data else {
      // It does not end a request under way.
      send(refusal(of: id.data, .outcomeUnknown, index: memory.knows(id) ? 0 : 1), to: client)
      return
    }
    let user = message.last?.userID
    guard let connection, let access = connection.access.access(of: user) else {
      send(refusal(of: id.data, .noLongerAuthorized), to: client)
      if let peer { self.connection?.watch.end(peer, .mayNotUseTheNode) }
      return
    }
    let asker = Asker(
      address: client, holder: connection.access.holder(user, client), access: access)
    if case .notice(let take) = entry.service {
      if access.role >= entry.role { take(asker.holder) }
      return
    }
    // Nobody gets the answer to a question of a client that has gone. libzmq frees what waits for
    // the client only when all its requests have been read.
    if entry.isQuestion, peer?.isOpen != true { return }
    let lease = RequestID(bytes: request.lease)
    if let lease { onLease?(lease, asker.holder) }
    admit(request, id, under: lease, from: asker, kind, entry)
  }

  private nonisolated static func words(
    forRequestOf byteCount: Int, from peer: PeerConnection?
  ) -> String {
    let origin = peer.flatMap { $0.isOpen ? $0.origin : nil } ?? "a connection that has ended"
    return "one of \(byteCount) bytes from \(origin)"
  }

  /// Nil while the router does not serve, and for a request without a body, which validation has
  /// refused already.
  private func entry(of request: WireRequest) -> (kind: String, entry: RequestEntry)? {
    guard let body = request.body else { return nil }
    return switch state {
    case .serving(_, let table), .stopping(_, let table): (body.name, table(body))
    case .open, .closed: nil
    }
  }

  private func admit(
    _ request: WireRequest, _ id: RequestID, under lease: RequestID?, from asker: Asker,
    _ kind: String, _ entry: RequestEntry
  ) {
    let now = MonotonicTime.now
    let remaining =
      request.remainingNs == 0
      ? Self.defaultDeadline : .nanoseconds(Int64(clamping: request.remainingNs))
    let arrival = RequestMemory.Arrival(
      id: id, client: asker.address, holder: asker.holder,
      fingerprint: request.fingerprint(of: asker.holder), mustNotRepeat: entry.mustNotRepeat,
      isRepetition: !request.epoch.isEmpty, isUrgent: entry.isUrgent, deadline: now + remaining)
    guard asker.access.role >= entry.role else {
      counters.forbidden += 1
      return refuse(
        arrival, .forbidden(kind, needs: entry.role, asker.access), at: now)
    }
    switch memory.admit(arrival, at: now) {
    case .new:
      let call = Call(
        id, kind: kind, access: asker.access, holder: asker.holder, lease: lease, asked: now,
        deadline: arrival.deadline, router: self)
      calls[id] = call
      if entry.role > .viewer, asker.access != .unlimited {
        log.info(asker.access.name, kind)
      }
      start(call, entry)
    case .attached(let replies), .done(let replies):
      for reply in replies { send(reply, to: asker.address) }
    case .idReused:
      send(refusal(of: id.data, .idReused, index: 0), to: asker.address)
    case .outcomeUnknown: refuse(arrival, .outcomeUnknown, at: now)
    case .busy(let crowd):
      counters.busy += 1
      refuse(arrival, .busy(crowd, asker.holder), at: now)
    }
  }

  /// Refuses a request before it has begun, in the same way however often it comes.
  private func refuse(_ arrival: RequestMemory.Arrival, _ error: WireError, at now: MonotonicTime) {
    let reply = refusal(of: arrival.id.data, error)
    memory.refuse(arrival, reply, at: now)
    scheduleExpiry()
    send(reply, to: arrival.client)
  }

  private func start(_ call: Call, _ entry: RequestEntry) {
    if case .stopping = state { return call.fail(CaptureError.nodeStops) }
    switch entry.service {
    case .notice: break
    case .direct(let service):
      do { try service(call) } catch { call.fail(error) }
    case .awaiting(let service):
      run(call.kind) {
        do { try await service(call) } catch { call.fail(error) }
      }
    }
  }
}

extension CaptureError {
  static var nodeStops: CaptureError {
    CaptureError(.interrupted, "the node stops: ask again when it is back")
  }
}
