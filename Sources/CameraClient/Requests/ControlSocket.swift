import EventLoop
import OperatingSystem
import ZeroMQ

/// The socket of a control connection. Each connection has a new one, because a request to a node
/// that is gone must not reach the next one later.
///
/// The option `ZMQ_IMMEDIATE` would drop such requests too. But with it libzmq aborts the program
/// when the node disconnects while a message of many parts is read (4.3.5, `socket_base.cpp`,
/// `hiccuped`).
// @unchecked: used on the loop's thread only, which the sockets check.
final class ControlSocket: @unchecked Sendable {
  /// What the socket calls, on the loop's thread.
  struct Handlers {
    var onEvent: @Sendable (MonitorEvent.Kind) -> Void
    var onReadable: @Sendable () -> Void
    /// Reads all messages that wait.
    var readAll: @Sendable () -> Void
    /// The node began a message and did not end it. The connection was ended.
    var onEndlessMessage: @Sendable () -> Void
  }

  /// The longest part that a node may send, in bytes: a chunk or a small photo, with room.
  static let maximumMessageSize = 4 << 20
  /// How long to wait after a connection before the next; doubles until a message comes.
  private static let shortestRest = Duration.milliseconds(50)
  private static let longestRest = Duration.milliseconds(500)
  private static let attemptTimeout = Duration.seconds(1)

  private let endpoint: Endpoint
  private let credentials: Credentials?
  private let loop: EventLoop
  private let context: Context
  private let handlers: Handlers
  private var socket: Socket<Dealer>?
  private var watch: MessageWatch?
  private var rest = shortestRest
  private var family: AddressFamily
  private var timer: LoopTimer?

  init(
    _ endpoint: Endpoint, _ credentials: Credentials?, on loop: EventLoop, _ context: Context,
    _ handlers: Handlers
  ) {
    self.endpoint = endpoint
    family = AddressFamily(of: endpoint)
    self.credentials = endpoint.isIPC ? nil : credentials
    self.loop = loop
    self.context = context
    self.handlers = handlers
  }

  /// Whether the node is reached by IPv6.
  var isIPv6: Bool { family.isIPv6 }

  /// Connects, unless there is a connection or a rest after one.
  func open() throws(ZeroMQError) {
    guard socket == nil, timer == nil else { return }
    let socket = try Socket<Dealer>(context, on: loop)
    socket.maximumMessageSize = Self.maximumMessageSize
    socket.isIPv6Enabled = family.isIPv6
    // Then the other address of a name is tried.
    if endpoint.isName { socket.connectTimeout = Self.attemptTimeout }
    socket.configureFastReconnect()
    if let credentials { try socket.encrypt(asClient: credentials.keys, of: credentials.node) }
    // For attempts that fail. After a connection, `beginRest` comes first.
    socket.reconnectInterval = .milliseconds(250)
    watch = try MessageWatch(
      on: loop, longestPart: Self.maximumMessageSize, readAll: handlers.readAll,
      onEnd: handlers.onEndlessMessage)
    try socket.onMonitorEvent { [weak self] event in self?.take(event) }
    socket.onReadable(handlers.onReadable)
    try socket.connect(endpoint.description)
    self.socket = socket
  }

  /// Ends the connection. It can be opened again.
  func close() {
    timer?.cancel()
    timer = nil
    watch?.close()
    watch = nil
    let closing = socket
    // Its last events do not count.
    socket = nil
    closing?.close()
  }

  private func take(_ event: MonitorEvent) {
    guard socket != nil else { return }
    watch?.observe(event)
    switch event.kind {
    case .disconnected: beginRest()
    // libzmq would try the same address again.
    case .retrying: if family.attemptFailed() { beginRest() }
    // After this libzmq does not try again.
    case .handshakeFailed(let failure) where failure.isRefusal: beginRest()
    default: break
    }
    handlers.onEvent(event.kind)
  }

  /// Ends the connection, and connects again after a while.
  private func beginRest() {
    close()
    timer = loop.schedule(at: .now + rest) { [weak self] in
      guard let self else { return }
      timer = nil
      do { try open() } catch { beginRest() }
    }
    rest = min(rest * 2, Self.longestRest)
  }

  /// Sends a message. It is dropped if the queue is full or the connection broken.
  func send(_ first: [UInt8], _ second: [UInt8]) {
    guard let socket else { return }
    do throws(ZeroMQError) {
      guard try socket.send(first, more: true) else { return }
      _ = try socket.send(second)
    } catch {
      // Only a closed socket fails.
    }
  }

  /// The next message, if one waits.
  func receive() -> [Message]? {
    // A message with too many parts was thrown away whole. The next one comes in the loop's next
    // turn.
    guard let parts = try? socket?.receive() else { return nil }
    watch?.read(parts.wireByteCount(isEncrypted: credentials != nil))
    rest = Self.shortestRest
    return parts
  }
}

/// Which of its addresses a name is reached by. libzmq knows the first of one family only, so a
/// name with addresses of both is tried with one after the other.
struct AddressFamily: Hashable, Sendable {
  private let isName: Bool
  /// Whether IPv6 comes next: at first only for an address of it. libzmq then also takes a name
  /// that has addresses of IPv4 alone.
  private(set) var isIPv6: Bool

  init(of endpoint: Endpoint) {
    (isName, isIPv6) = (endpoint.isName, endpoint.isIPv6)
  }

  /// - Returns: Whether the other family comes next.
  mutating func attemptFailed() -> Bool {
    if isName { isIPv6.toggle() }
    return isName
  }
}
