import CameraProtocol
import EventLoop
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

/// A subscription to some of a node's publications: finds out where the node publishes, connects
/// there, and moves when the node comes back elsewhere.
// @unchecked: on the loop's thread, which the socket checks. No actor: entering one costs a frame
// memory.
final class Subscriber: ConnectionFollower, @unchecked Sendable {
  /// What is subscribed to.
  struct Interest: Sendable {
    var publications: EndpointLookup.Publications
    var prefixes: [String]
    /// Asked of the node first, so that a wrong name fails at once; nil asks of all cameras.
    var camera: String?
    /// How many publications may wait in the socket.
    var queueLength: Int
    /// The longest part that is received, bytes.
    var maximumMessageSize: Int
  }

  /// Reads a publication where it lies: `topic | header | payload`, and perhaps more parts of a
  /// newer node.
  typealias Reader = @Sendable (_ parts: inout Parts, _ received: MonotonicTime) -> Void

  enum Event: Sendable {
    /// The subscription reaches the node; publications from now on are received.
    case connected
    /// What had come was read.
    case drained
    /// Nothing was heard for three seconds, in which there are heartbeats.
    case silent
    /// The last: there is no such camera, no node, or no connection any more.
    case failed(CameraBusError)
  }

  private enum Link {
    /// Still to be made.
    case pending
    case connected
    /// It was there and broke.
    case lost
  }

  /// Without a message for this long, the node is taken for gone.
  private static let silence = Duration.seconds(3)
  /// How long a connection may bring nothing before it is given up for another. It doubles each
  /// time, for a large frame may take its time on a slow link.
  private static let patience = (first: silence, longest: Duration.seconds(30))

  private let loop: EventLoop
  private let connection: ControlConnection

  private let interest: Interest
  private let timeout: Duration
  private let read: Reader
  private let onEvent: @Sendable (Event) -> Void
  private let question = RequestID.random()
  private var socket: Socket<Sub>?
  private var endpoint: Endpoint?
  private var isClosed = false
  private var link = Link.pending
  private var opened = MonotonicTime.now
  /// When it was connected or heard something; nil before it was ever connected.
  private var lastSign: MonotonicTime?
  private var isSilent = false
  private var patience = Subscriber.patience.first
  private var timer: LoopTimer?

  /// Both are called on the loop's thread.
  init(
    _ interest: Interest,
    _ connection: ControlConnection,
    timeout: Duration,
    read: @escaping Reader,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.interest = interest
    self.connection = connection
    self.timeout = timeout
    self.read = read
    self.onEvent = onEvent
    loop = connection.loop
  }

  func open() {
    let body = WireRequest.OneOf_Body.status(.with { $0.camera = interest.camera ?? "" })
    connection.assumeIsolated { connection in
      connection.add(self)
      connection.submit(question, body, .init(timeout: timeout, resending: .reading)) { outcome in
        self.take(outcome)
      }
    }
  }

  /// Lets the subscription go; nothing is received any more.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    timer?.cancel()
    socket?.close()
    socket = nil
    connection.assumeIsolated { [question] connection in
      connection.remove(self)
      connection.abandon(question, isEnded: false)
    }
  }

  func connectionDidOpen(_ status: WireStatusReply) {
    // Before the first answer the question is still open, and its answer comes here soon.
    if socket != nil { connect(status) }
  }

  func connectionDidClose() {
    fail(.closed)
  }

  private func take(_ outcome: ControlConnection.Outcome) {
    switch outcome {
    case .finished(.status(let status), _): connect(status)
    case .failed(let error): fail(error)
    case .progress, .finished: fail(.unexpectedReply)
    }
  }

  private func connect(_ status: WireStatusReply) {
    do throws(CameraBusError) {
      let endpoint = try connection.endpoints.endpoint(of: interest.publications, status)
      // A node that is back need not be waited for.
      guard !isClosed, endpoint != self.endpoint || link == .lost else { return }
      try connect(to: endpoint)
    } catch {
      fail(error)
    }
  }

  private func connect(to endpoint: Endpoint) throws(CameraBusError) {
    self.endpoint = endpoint
    opened = .now
    do throws(ZeroMQError) {
      try subscribe(at: endpoint)
    } catch {
      throw CameraBusError(error)
    }
    watchForSilence()
  }

  private func subscribe(at endpoint: Endpoint) throws(ZeroMQError) {
    socket?.close()
    link = .pending
    let socket = try Socket<Sub>(connection.context, on: loop)
    self.socket = socket
    socket.receiveHighWaterMark = interest.queueLength
    socket.maximumMessageSize = interest.maximumMessageSize
    socket.linger = .zero
    socket.comeBackSoon()
    for prefix in interest.prefixes { socket.subscribe(prefix) }
    try socket.onMonitorEvent { [weak self] event in
      self?.observe(event.kind)
    }
    socket.onReadable { [weak self] in self?.drain() }
    try socket.connect(endpoint.description)
  }

  private func observe(_ event: MonitorEvent.Kind) {
    switch event {
    case .handshakeSucceeded:
      link = .connected
      hear(at: .now)
      onEvent(.connected)
    case .disconnected: if link == .connected { link = .lost }
    default: break
    }
  }

  /// Takes all that waits, so that the newest is never behind older ones.
  func drain() {
    var isEmpty = true
    // A message of too many parts was thrown away whole; the next ones come in the next turn.
    while let socket, (try? socket.receive { take(&$0) }) == true { isEmpty = false }
    if !isEmpty { onEvent(.drained) }
  }

  private func take(_ parts: inout Parts) {
    let received = MonotonicTime.now
    hear(at: received)
    if parts.count >= 3 { read(&parts, received) }
  }

  // MARK: Silence

  private func hear(at now: MonotonicTime) {
    let isFirst = lastSign == nil
    lastSign = now
    guard isSilent || isFirst else { return }
    isSilent = false
    watchForSilence()
  }

  /// When something is to be done unless something is heard.
  private var deadline: MonotonicTime? {
    guard let lastSign else { return opened + timeout }
    if !isSilent { return lastSign + Self.silence }
    // Where there is no connection, attempts to make one go on by themselves.
    return link == .connected ? lastSign + patience : nil
  }

  /// The timer runs on until its moment, whatever is heard meanwhile, for much is.
  private func watchForSilence() {
    timer?.cancel()
    timer = deadline.map { deadline in
      loop.schedule(at: deadline) { [weak self] in self?.checkSilence() }
    }
  }

  private func checkSilence() {
    // A program that was stopped itself finds here what came meanwhile.
    drain()
    guard !isClosed, let endpoint else { return }
    if let deadline, deadline <= .now {
      if lastSign == nil { return fail(.unreachable(publications: endpoint)) }
      if !isSilent {
        isSilent = true
        onEvent(.silent)
      }
      if link == .connected, let lastSign, lastSign + patience <= .now {
        patience = min(patience * 2, Self.patience.longest)
        do { try connect(to: endpoint) } catch { fail(error) }
      }
    }
    if !isClosed { watchForSilence() }
  }

  private func fail(_ error: CameraBusError) {
    guard !isClosed else { return }
    close()
    onEvent(.failed(error))
  }
}

extension Socket {
  /// Finds out soon that the other side is gone, and soon that it is there again.
  func comeBackSoon() {
    reconnectInterval = .milliseconds(50)
    maximumReconnectInterval = .milliseconds(500)
    // Where nothing answers at all, an attempt would last for minutes.
    connectTimeout = .seconds(2)
    handshakeTimeout = .seconds(2)
    lossTimeout = .seconds(6)
  }
}
