import CameraProtocol
import EventLoop
import ZeroMQ
import SwiftProtobuf

/// A subscription to some of a node's publications: finds out where the node publishes, connects there, and moves when the
/// node comes back elsewhere. On the loop's thread.
actor Subscriber: ConnectionFollower {
  /// What is subscribed to.
  struct Interest: Sendable {
    var publications: NodeEndpoints.Publications
    var prefixes: [String]
    /// Asked of the node first, so that a wrong name fails at once; nil asks of all cameras.
    var camera: String?
    /// How many publications may wait in the socket.
    var queueLength: Int
    /// The longest part that is received, bytes.
    var maximumMessageSize: Int
  }

  enum Event: Sendable {
    /// The subscription reaches the node; publications from now on are received.
    case connected
    case publication(Publication<ZeroMQ.Message>, received: MonotonicTime)
    /// The last: there is no such camera, no node, or no connection any more.
    case failed(CameraBusError)
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }
  nonisolated let connection: ControlConnection

  private let interest: Interest
  private let timeout: Duration
  private let receive: @Sendable (Event) -> Void
  private let question = RequestID.random()
  private var socket: Socket<Sub>?
  private var endpoint: Endpoint?
  private var isClosed = false

  /// - Parameter receive: Called on the loop's thread.
  init(
    _ interest: Interest,
    _ connection: ControlConnection,
    timeout: Duration,
    _ receive: @escaping @Sendable (Event) -> Void
  ) {
    self.interest = interest
    self.connection = connection
    self.timeout = timeout
    self.receive = receive
    loop = connection.loop
  }

  func open() {
    let body = WireRequest.OneOf_Body.status(.with { $0.camera = interest.camera ?? "" })
    connection.assumeIsolated { connection in
      connection.add(self)
      connection.submit(question, body, .init(timeout: timeout, resending: .reading)) { outcome in
        self.assumeIsolated { $0.take(outcome) }
      }
    }
  }

  /// Lets the subscription go; nothing is received any more.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    socket?.close()
    socket = nil
    connection.assumeIsolated { [question] connection in
      connection.remove(self)
      connection.abandon(question, isEnded: false)
    }
  }

  nonisolated func connectionDidOpen(_ status: WireStatusReply) {
    assumeIsolated { subscriber in
      // Before the first answer the question is still open, and its answer comes here soon.
      if subscriber.socket != nil { subscriber.connect(status) }
    }
  }

  nonisolated func connectionDidClose() {
    assumeIsolated { $0.fail(.closed) }
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
      guard !isClosed, endpoint != self.endpoint else { return }
      do throws(ZeroMQError) {
        try connect(endpoint)
      } catch {
        throw CameraBusError(error)
      }
    } catch {
      fail(error)
    }
  }

  private func connect(_ endpoint: Endpoint) throws(ZeroMQError) {
    socket?.close()
    let socket = try Socket<Sub>(connection.context, on: loop)
    self.socket = socket
    self.endpoint = endpoint
    socket.receiveHighWaterMark = interest.queueLength
    socket.maximumMessageSize = interest.maximumMessageSize
    socket.linger = .zero
    socket.reconnectInterval = .milliseconds(50)
    socket.maximumReconnectInterval = .seconds(1)
    for prefix in interest.prefixes { socket.subscribe(prefix) }
    try socket.onMonitorEvent { [weak self] event in
      guard event.kind == .handshakeSucceeded else { return }
      self?.assumeIsolated { $0.receive(.connected) }
    }
    socket.onReadable { [weak self] in self?.assumeIsolated { $0.drain() } }
    try socket.connect(endpoint.description)
  }

  /// Takes all that waits, so that the newest is never behind older ones.
  private func drain() {
    // A message of too many parts was thrown away whole; the next ones come in the next turn.
    while let socket, let parts = try? socket.receive() {
      let received = MonotonicTime.now
      // A newer node may publish more than this client knows.
      guard let publication = try? Publication(reading: parts, bytes: { $0.bytes }) else {
        continue
      }
      receive(.publication(publication, received: received))
    }
  }

  private func fail(_ error: CameraBusError) {
    guard !isClosed else { return }
    close()
    receive(.failed(error))
  }
}
