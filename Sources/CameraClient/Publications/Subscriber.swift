import CameraProtocol
import EventLoop
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

/// A subscription to some of a node's publications. It asks the node where it publishes, connects
/// there, and moves when the node comes back elsewhere.
// @unchecked: used on the loop's thread only, which the socket checks. An actor would cost memory
// for every frame.
final class Subscriber: ConnectionFollower, @unchecked Sendable {
  /// What is subscribed to.
  struct Interest: Sendable {
    var publications: EndpointLookup.Publications
    var prefixes: [String]
    /// The camera to ask the node about first, so that a wrong name fails at once; nil asks about
    /// all cameras.
    var camera: String?
    /// The most publications that wait in the socket.
    var queueLength: Int
    /// The longest part that is received, bytes.
    var maximumMessageSize: Int
  }

  /// Reads a publication in place: `topic | header | payload`, and perhaps more parts from a newer
  /// node.
  typealias Reader = @Sendable (_ parts: inout Parts, _ received: MonotonicTime) -> Void

  enum Event: Sendable {
    /// The subscription reaches the node, so publications from now on are received.
    case connected
    /// All waiting publications were read.
    case drained
    /// Nothing has come for three seconds, although a node sends heartbeats; with the reason, if it
    /// is known. It comes again when the reason becomes known later.
    case silent(CameraBusError?)
    /// The last event: there is no such camera, no node, or no connection any more.
    case failed(CameraBusError)
  }

  private enum Link {
    /// Being made.
    case pending
    case connected
    /// Broken.
    case lost
  }

  private let loop: EventLoop
  private let connection: ControlConnection

  private let interest: Interest
  private let timeout: Duration
  private let read: Reader
  private let onEvent: @Sendable (Event) -> Void
  private let question = RequestID.random()
  private var socket: Socket<Sub>?
  private var watch: MessageWatch?
  private var endpoint: Endpoint?
  private var isClosed = false
  private var link = Link.pending
  /// Whether the node refused the program's key.
  private var isRefused = false
  private var silence: SilenceWatch
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
    silence = SilenceWatch(timeout: timeout, at: .now)
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

  /// Sends the subscription to the first prefix once more, which brings nothing twice.
  func repeatSubscription() {
    if let prefix = interest.prefixes.first { socket?.subscribe(prefix) }
  }

  /// Ends the subscription. Nothing is received any more.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    timer?.cancel()
    disconnect()
    connection.assumeIsolated { [question] connection in
      connection.remove(self)
      connection.abandon(question, isEnded: false)
    }
  }

  func connectionDidOpen(_ status: WireStatusReply) {
    // Without a socket the question is still open, and its answer connects.
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
      // A connection that broke is replaced at once when the node is back.
      guard !isClosed, endpoint != self.endpoint || link == .lost else { return }
      try connect(to: endpoint)
    } catch {
      fail(error)
    }
  }

  private func connect(to endpoint: Endpoint) throws(CameraBusError) {
    self.endpoint = endpoint
    isRefused = false
    silence.connecting(at: .now)
    do throws(ZeroMQError) {
      try subscribe(at: endpoint)
    } catch {
      throw CameraBusError(error)
    }
    watchForSilence()
  }

  private var credentials: Credentials? {
    endpoint?.isIPC == true ? nil : connection.endpoints.credentials
  }

  private func disconnect() {
    watch?.close()
    watch = nil
    socket?.close()
    socket = nil
  }

  private func subscribe(at endpoint: Endpoint) throws(ZeroMQError) {
    disconnect()
    link = .pending
    let socket = try Socket<Sub>(connection.context, on: loop)
    self.socket = socket
    watch = try MessageWatch(on: loop, longestPart: interest.maximumMessageSize) { [weak self] in
      self?.drain()
    }
    socket.receiveHighWaterMark = interest.queueLength
    socket.maximumMessageSize = interest.maximumMessageSize
    socket.linger = .zero
    socket.isIPv6Enabled =
      endpoint.isIPv6 || endpoint.isName && connection.assumeIsolated { $0.isIPv6 }
    socket.configureFastReconnect()
    if let credentials { try socket.encrypt(asClient: credentials.keys, of: credentials.node) }
    for prefix in interest.prefixes { socket.subscribe(prefix) }
    try socket.onMonitorEvent { [weak self] event in
      self?.watch?.observe(event)
      self?.observe(event.kind)
    }
    socket.onReadable { [weak self] in self?.drain() }
    try socket.connect(endpoint.description)
  }

  private func observe(_ event: MonitorEvent.Kind) {
    switch event {
    case .handshakeSucceeded:
      link = .connected
      isRefused = false
      hear(at: .now)
      onEvent(.connected)
    case .disconnected: if link == .connected { link = .lost }
    case .handshakeFailed(.refused):
      // libzmq does not try again.
      link = .lost
      isRefused = true
      if silence.isReported { onEvent(.silent(refusal)) }
    default: break
    }
  }

  /// Reads all waiting publications, so that the newest is never kept behind older ones.
  func drain() {
    var isEmpty = true
    // A message with too many parts was thrown away whole. The ones behind it come in the loop's
    // next turn.
    while let socket, (try? socket.receive { take(&$0) }) == true { isEmpty = false }
    if !isEmpty { onEvent(.drained) }
  }

  private func take(_ parts: inout Parts) {
    let received = MonotonicTime.now
    hear(at: received)
    watch?.read(parts.wireByteCount(isEncrypted: credentials != nil))
    if parts.count >= 3 { read(&parts, received) }
  }

  // MARK: Silence

  private func hear(at now: MonotonicTime) {
    if silence.hear(at: now) { watchForSilence() }
  }

  /// Sets the timer. It is not moved when a message comes, because many do; it checks the time when
  /// it fires.
  private func watchForSilence() {
    timer?.cancel()
    timer = silence.deadline(isConnected: link == .connected).map { deadline in
      loop.schedule(at: deadline) { [weak self] in self?.checkSilence() }
    }
  }

  private func checkSilence() {
    // If this program was stopped, messages that came meanwhile wait here.
    drain()
    guard !isClosed, let endpoint else { return }
    for action in silence.expire(at: .now, isConnected: link == .connected) {
      switch action {
      case .giveUp: return fail(refusal ?? .unreachable(publications: endpoint))
      case .reportSilence: onEvent(.silent(refusal))
      case .reconnect: do { try connect(to: endpoint) } catch { fail(error) }
      }
    }
    if !isClosed { watchForSilence() }
  }

  /// The error if the node refuses the program's key.
  private var refusal: CameraBusError? {
    guard isRefused, let endpoint else { return nil }
    return .notAuthorized(endpoint, credentials)
  }

  private func fail(_ error: CameraBusError) {
    guard !isClosed else { return }
    close()
    onEvent(.failed(error))
  }
}

extension Socket {
  /// Makes the socket notice soon that the other side is gone, and soon that it is back.
  func configureFastReconnect() {
    reconnectInterval = .milliseconds(50)
    maximumReconnectInterval = .milliseconds(250)
    // Where nothing answers at all, a single attempt would last for minutes.
    connectTimeout = .seconds(2)
    handshakeTimeout = .seconds(2)
    lossTimeout = .seconds(6)
  }
}
