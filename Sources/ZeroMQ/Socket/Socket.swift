public import EventLoop

/// A ZeroMQ socket of one role, made and used on the thread of one loop: anywhere else its calls end the program.
///
/// It is typically a property of an actor on that loop, made in one of the actor's methods (an actor's initializer
/// does not run on its loop). Sending and receiving never block.
public final class Socket<Role: SocketRole> {
  let core: SocketCore

  /// Makes a socket that, once closed, tries for 100 ms to send what is left: see ``linger``.
  ///
  /// - Throws: `contextClosed`; `tooManySockets`.
  public init(_ context: Context, on loop: EventLoop) throws(ZeroMQError) {
    core = try SocketCore(context, on: loop, type: Role.pattern.type)
  }

  deinit {
    core.closeForgotten()
  }

  /// Accepts peers at the endpoint: `tcp://ADDRESS:PORT`, `ipc://PATH` or `inproc://NAME`.
  ///
  /// An address of `*` means all, a port of `*` any free one, an ipc path of `*` any free one. An ipc path that nobody
  /// listens at any more, a killed process's, is taken over.
  /// - Returns: The endpoint with the wildcards filled in.
  /// - Throws: `addressInUse`, `addressNotAvailable`, `permissionDenied`, `malformedEndpoint`, …
  @discardableResult
  public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
    try core.call("bind", endpoint: endpoint) { raw throws(SystemError) in
      try raw.bind(endpoint)
      return try raw.lastEndpoint()
    }
  }

  /// Stops accepting peers at an endpoint, given as ``bind(_:)`` returned it.
  public func unbind(_ endpoint: String) throws(ZeroMQError) {
    try core.call("unbind", endpoint: endpoint) { raw throws(SystemError) in
      try raw.unbind(endpoint)
    }
  }

  /// Connects to the endpoint, now or as soon as there is somebody, and again whenever the connection breaks.
  ///
  /// - Throws: `malformedEndpoint`, `unsupportedTransport`; that nobody is there is no error.
  public func connect(_ endpoint: String) throws(ZeroMQError) {
    try core.call("connect", endpoint: endpoint) { raw throws(SystemError) in
      try raw.connect(endpoint)
    }
  }

  /// Ends the connection, or the attempts at it.
  public func disconnect(_ endpoint: String) throws(ZeroMQError) {
    try core.call("disconnect", endpoint: endpoint) { raw throws(SystemError) in
      try raw.disconnect(endpoint)
    }
  }

  /// Closes the socket: whoever waits for a message gets `socketClosed`, as does everybody later. A second call does
  /// nothing. What is queued to be sent goes out within the ``linger`` time.
  ///
  /// A socket that is let go unclosed closes by itself, soon, on its loop.
  public func close() {
    core.close()
  }

  /// The socket's events from now on, such as connects, disconnects and failed handshakes.
  ///
  /// A socket has one such stream: a second call ends the first. It ends with the socket, or when nobody iterates any more.
  /// - Parameter limit: How many events wait for the reader; of more, the oldest are dropped.
  public func monitor(bufferingNewest limit: Int = 64) throws(ZeroMQError)
    -> AsyncStream<MonitorEvent>
  {
    try core.startMonitor(bufferingNewest: limit)
  }

  /// Calls `handler` on the loop's thread for the socket's events from now on, until it closes; instead of ``monitor(bufferingNewest:)``.
  package func onMonitorEvent(
    _ handler: @escaping @Sendable (MonitorEvent) -> Void
  ) throws(ZeroMQError) {
    try core.startMonitor { event in
      if let event { handler(event) }
    }
  }
}
