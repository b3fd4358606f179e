import CameraProtocol
import EventLoop
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

/// The control socket of one node. It sends requests, repeats them where that is safe, and hands
/// each reply to its receiver.
///
/// It runs on the loop's thread. Other threads enter by `enter` and `enterAtOnce`.
actor ControlConnection: LoopActor {
  /// The progress of a request, or its end.
  enum Outcome: Sendable {
    case progress(WireReply.OneOf_Body, attachment: ZeroMQ.Message?)
    /// Nothing follows.
    case finished(WireReply.OneOf_Body, epoch: Epoch)
    /// Nothing follows.
    case failed(CameraBusError)
  }

  typealias Receiver = @Sendable (Outcome) -> Void

  nonisolated let loop: EventLoop
  nonisolated let context: Context
  nonisolated let endpoints: EndpointLookup

  /// By how much the timer may be late before the program counts as stopped.
  private static let slack = Duration.milliseconds(100)
  /// How long the connection then listens before it judges.
  private static let listening = Duration.seconds(1)

  /// How long a refused key is shown again. A node needs a moment to notice a key that was just
  /// authorized.
  private static let refusalPatience = Duration.seconds(1)

  private struct Waiting {
    var request: WireRequest
    var receive: Receiver
  }

  private var socket: ControlSocket?
  private var isClosed = false
  private var table: PendingRequests
  private var waiting: [RequestID: Waiting] = [:]
  private var probe: RequestID?
  private var probedGreeting: GreetingProbe?
  private var timer: (deadline: MonotonicTime, timer: LoopTimer)?
  /// Whether the timer waits for replies that came while this program was stopped.
  private var isListening = false
  private var peer = Peer.absent
  /// When the node first refused the program's key, since it last let the program in or a request
  /// failed for it.
  private var refusedSince: MonotonicTime?
  /// Whether the node has begun a message that did not end, and sent nothing whole since.
  private var isFlooded = false
  /// The leases under which requests are made, by camera.
  private var leases: [String: RequestID] = [:]
  private var followers: [ObjectIdentifier: any ConnectionFollower] = [:]

  init(
    _ endpoints: EndpointLookup,
    on loop: EventLoop,
    _ context: Context,
    connectTimeout: Duration
  ) {
    self.loop = loop
    self.context = context
    self.endpoints = endpoints
    table = PendingRequests(connectTimeout: connectTimeout)
  }

  func close() {
    isClosed = true
    timer?.timer.cancel()
    socket?.close()
    probedGreeting?.close()
    probedGreeting = nil
    for id in Array(waiting.keys) { end(id, .failed(.closed)) }
    for follower in followers.values { follower.connectionDidClose() }
    followers = [:]
  }

  // MARK: Requests

  /// - Parameter lease: Nil for the one under which requests for the camera are made.
  func submit(
    _ id: RequestID,
    _ body: WireRequest.OneOf_Body,
    _ rule: PendingRequests.Rule,
    under lease: RequestID? = nil,
    _ receive: @escaping Receiver
  ) {
    guard !isClosed else { return receive(.failed(.closed)) }
    do throws(ZeroMQError) {
      try open()
    } catch {
      return receive(.failed(CameraBusError(error)))
    }
    let request = WireRequest.with {
      $0.id = id.data
      if let lease = lease ?? body.camera.flatMap({ leases[$0] }) { $0.lease = lease.data }
      $0.body = body
    }
    waiting[id] = Waiting(request: request, receive: receive)
    perform(table.add(id, rule, at: .now))
  }

  /// Makes requests for the camera under this lease from now on.
  func use(_ lease: RequestID?, of camera: String) { leases[camera] = lease }

  /// Forgets a request whose caller no longer waits.
  /// - Parameter isEnded: Whether to ask the node to end it too.
  func abandon(_ id: RequestID, isEnded: Bool) {
    guard waiting.removeValue(forKey: id) != nil else { return }
    table.remove(id)
    if isEnded { post(.cancel(.with { $0.request = id.data })) }
    setTimer()
  }

  /// Ends a request whose caller was cancelled.
  func cancel(_ id: RequestID) {
    end(id, .failed(.cancelled))
  }

  /// Sends a request that needs no reply.
  func post(_ body: WireRequest.OneOf_Body, under lease: RequestID? = nil) {
    transmit(
      .with {
        $0.id = RequestID.random().data
        if let lease { $0.lease = lease.data }
        $0.body = body
      }
    )
  }

  /// Whether a name is reached by IPv6 at present.
  var isIPv6: Bool { socket?.isIPv6 ?? false }

  // MARK: The connection's followers

  /// Reports every new connection to the follower, until it is removed or this connection is
  /// closed.
  func add(_ follower: some ConnectionFollower) {
    if isClosed {
      follower.connectionDidClose()
    } else {
      followers[ObjectIdentifier(follower)] = follower
    }
  }

  func remove(_ follower: some ConnectionFollower) {
    followers[ObjectIdentifier(follower)] = nil
  }

  // MARK: The socket

  private func open() throws(ZeroMQError) {
    let socket =
      socket
      ?? ControlSocket(
        endpoints.control, endpoints.credentials, on: loop, context,
        ControlSocket.Handlers(
          onEvent: handler { $0.observe($1) },
          onReadable: handler { _ = $0.readReply() },
          readAll: handler { $0.readReplies() },
          onEndlessMessage: handler { $0.isFlooded = true }
        ))
    self.socket = socket
    try socket.open()
  }

  private func reconnect() {
    socket?.close()
    peer = .absent
    // If this fails, the waiting requests time out, and the next request opens a socket.
    try? open()
  }

  private func observe(_ event: MonitorEvent.Kind) {
    peer = peer.after(event)
    switch event {
    case .handshakeSucceeded:
      refusedSince = nil
      perform(table.connected(at: .now))
    case .disconnected: perform(table.disconnected(at: .now))
    case .handshakeFailed where peer.isUnwilling: takeRefusal()
    default: break
    }
    if peer == .foreigner, endpoints.credentials == nil { askForMechanism() }
  }

  /// The socket connects again after a refusal.
  private func takeRefusal() {
    if peer == .unwilling, endpoints.credentials != nil, !endpoints.control.isIPC {
      let since = refusedSince ?? .now
      refusedSince = since
      guard .now - since >= Self.refusalPatience else { return }
    }
    refusedSince = nil
    perform(table.refused())
  }

  /// What answers may be a node that requires keys.
  private func askForMechanism() {
    guard probedGreeting == nil, !endpoints.control.isIPC else { return }
    probedGreeting = try? GreetingProbe(
      endpoints.control, isIPv6: isIPv6, on: loop, context,
      finish: handler { $0.learned(requiresKey: $1) })
  }

  private func learned(requiresKey: Bool) {
    probedGreeting = nil
    guard requiresKey, peer == .foreigner || peer == .absent || peer == .greeting else { return }
    peer = .otherMechanism
    perform(table.refused())
  }

  private func perform(_ actions: [PendingRequests.Action]) {
    for action in actions {
      switch action {
      case .probe: sendProbe()
      case .reconnect: reconnect()
      case .send(let id, let remaining, let epoch):
        guard var request = waiting[id]?.request else { continue }
        // 0 would let the node choose.
        request.remainingNs = max(1, remaining.wireNanoseconds)
        if let epoch { request.epoch = epoch.data }
        transmit(request)
      case .fail(let id, let failure): end(id, .failed(error(failure)))
      }
    }
    setTimer()
  }

  private func error(_ failure: PendingRequests.Failure) -> CameraBusError {
    switch failure {
    case .unreachable where isFlooded, .timedOut where isFlooded: .endlessMessage
    case .unreachable:
      .unreachable(
        endpoints.control, refusedSince == nil ? peer : .unwilling, endpoints.credentials)
    case .timedOut(let timeout, let mayBeDone): .timedOut(after: timeout, mayBeDone: mayBeDone)
    case .outcomeUnknown: .outcomeUnknown(endpoints.control, isRefused: peer.isUnwilling)
    }
  }

  private func sendProbe() {
    let id = RequestID.random()
    probe = id
    transmit(
      .with {
        $0.id = id.data
        $0.status = .init()
      }
    )
  }

  private func transmit(_ request: WireRequest) {
    // Without a connection libzmq would keep it for the next one. The request is repeated later, or
    // times out.
    if peer == .router { socket?.send(Framing.signature, request.bytes) }
  }

  /// Sets the timer for the next deadline.
  ///
  /// Most deadlines move when a reply comes. The timer then fires too early and is set again, which
  /// costs less than setting it at every request and reply.
  private func setTimer() {
    guard !isListening, let deadline = table.nextDeadline else { return }
    if let timer, timer.deadline <= deadline { return }
    timer?.timer.cancel()
    self.timer = (deadline, loop.schedule(at: deadline, handler { $0.expire() }))
  }

  private func expire() {
    let isLate = timer.map { MonotonicTime.now - $0.deadline > Self.slack } ?? false
    timer = nil
    // If this program was stopped, replies came meanwhile. libzmq needs a moment to read them.
    let listens = isLate && !isListening
    isListening = listens
    readReplies()
    if listens {
      let end = MonotonicTime.now + Self.listening
      timer = (end, loop.schedule(at: end, handler { $0.expire() }))
    } else {
      perform(table.expire(at: .now))
    }
  }

  // MARK: Replies

  private func readReplies() {
    while readReply() {}
  }

  /// - Returns: Whether there was one.
  private func readReply() -> Bool {
    guard let parts = socket?.receive() else { return false }
    isFlooded = false
    table.heard(at: .now)
    if let reply = Reply(parts) { take(reply) }
    return true
  }

  private func take(_ reply: Reply) {
    if reply.id == probe {
      answerProbe(reply)
    } else if let receive = waiting[reply.id]?.receive,
      table.accept(reply.id, index: reply.index, isFinal: reply.isFinal, at: .now)
    {
      if reply.isFinal {
        end(reply.id, reply.outcome)
      } else {
        receive(reply.outcome)
      }
      setTimer()
    }
  }

  private func answerProbe(_ reply: Reply) {
    guard reply.isFinal else { return }
    probe = nil
    if table.isProbing, case .status(let status) = reply.body {
      for follower in followers.values { follower.connectionDidOpen(status) }
    }
    // Every reply carries the node's epoch, also an error.
    perform(table.opened(reply.epoch, at: .now))
  }

  private func end(_ id: RequestID, _ outcome: Outcome) {
    table.remove(id)
    waiting.removeValue(forKey: id)?.receive(outcome)
  }
}
