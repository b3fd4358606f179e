public import EventLoop
import OperatingSystem

/// A ZeroMQ socket of one role. It is made and used on its loop's thread; a call on another thread
/// ends the program.
///
/// It is usually a property of an actor on that loop. Make it in a method of the actor, because an
/// actor's initializer does not run on the loop. Sending and receiving never block.
public final class Socket<Role: SocketRole> {
  let core: SocketCore

  /// Makes a socket that, after it is closed, tries for 100 ms to send its queued messages: see
  /// ``linger``.
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
  /// The address `*` means all interfaces. The port `*` or the ipc path `*` means any free one. If
  /// no process listens at an ipc path any more, as after a kill, its socket file is replaced. A
  /// file of another kind is refused. ``unbind(_:)`` and ``close()`` delete the socket file.
  /// - Returns: The endpoint with its wildcards filled in.
  /// - Throws: `addressInUse`, `addressNotAvailable`, `permissionDenied`, `malformedEndpoint`, …
  @discardableResult
  public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
    try core.bind(endpoint)
  }

  /// Stops accepting peers at an endpoint, given as ``bind(_:)`` returned it.
  public func unbind(_ endpoint: String) throws(ZeroMQError) {
    try core.unbind(endpoint)
  }

  /// Connects to the endpoint as soon as a peer listens there, and reconnects whenever the
  /// connection breaks.
  ///
  /// - Throws: `malformedEndpoint`, `unsupportedTransport`. A missing peer is not an error.
  public func connect(_ endpoint: String) throws(ZeroMQError) {
    try core.call("connect", endpoint: endpoint) { raw throws(SystemError) in
      try raw.connect(endpoint)
    }
  }

  /// Ends the connection, or the attempts to make it.
  public func disconnect(_ endpoint: String) throws(ZeroMQError) {
    try core.call("disconnect", endpoint: endpoint) { raw throws(SystemError) in
      try raw.disconnect(endpoint)
    }
  }

  /// Closes the socket. Waiting and later calls throw `socketClosed`; a second close does nothing.
  /// Queued messages are still sent within the ``linger`` time.
  ///
  /// A socket that is released without this call closes by itself soon, on its loop.
  public func close() {
    core.close()
  }

  /// A stream of the socket's events from now on, such as connects, disconnects and failed
  /// handshakes.
  ///
  /// A socket has one stream: a second call ends the first. The stream ends with the socket, or
  /// when its iterator is released.
  /// - Parameter limit: How many events may wait for the reader. If there are more, the oldest are
  ///   dropped.
  public func monitor(bufferingNewest limit: Int = 64) throws(ZeroMQError)
    -> AsyncStream<MonitorEvent>
  {
    try core.startMonitor(bufferingNewest: limit)
  }

  /// Calls `handler` on the loop's thread for each event from now on, until the socket closes. It
  /// replaces ``monitor(bufferingNewest:)``.
  package func onMonitorEvent(
    _ handler: @escaping @Sendable (MonitorEvent) -> Void
  ) throws(ZeroMQError) {
    try core.startMonitor { event in
      if let event { handler(event) }
    }
  }
}
