import CZeroMQ
import EventLoop
import Glibc
import OperatingSystem

// Sendable: only the loop's thread uses it, which every call checks; after the loop's end only the
// last owner does.
/// The part of a socket that does not depend on its role: libzmq's socket, its place on the loop,
/// and its readers.
final class SocketCore: @unchecked Sendable {
  let context: Context
  let loop: EventLoop
  let descriptor: Int32
  /// The most parts that a received message may have.
  var maximumParts = 64
  private var raw: RawSocket?
  private var isOnLoop = false
  /// Whether the last sent part announced another one.
  var isMidMessage = false
  private var readableHandler: (() -> Void)?
  /// During a pause messages wait: no handler is called, and the descriptor does not wake the loop.
  private var isPaused = false
  private var waiting: [Suspension] = []
  /// Whether unread messages may wait. libzmq is asked only then, because asking costs system
  /// calls.
  private var mayBeReadable = true
  /// Whether the descriptor has just signalled, which usually means a message.
  private var isSignalled = false
  private var monitor: Monitor?
  /// Whether a `ConnectionMonitor` gets the events.
  private var isReporting = false
  /// The files of the ipc endpoints that the socket is bound to.
  private var files: [UnixSocket] = []

  init(_ context: Context, on loop: EventLoop, type: Int32) throws(ZeroMQError) {
    loop.checkIsolated()
    let raw = try context.makeSocket(type)
    self.context = context
    self.loop = loop
    do throws(SystemError) {
      descriptor = try raw.option(ZMQ_FD, as: Int32.self)
      try raw.setOption(ZMQ_LINGER, Int32(100))
      if type == ZMQ_ROUTER { try raw.setOption(ZMQ_ROUTER_MANDATORY, Int32(1)) }
    } catch {
      raw.close()
      context.socketDidClose()
      throw ZeroMQError(error)
    }
    self.raw = raw
  }

  // MARK: The end

  func close() {
    loop.checkIsolated()
    guard raw != nil else { return }
    endMonitor()
    if isOnLoop { loop.remove(self) }
    closeSocket()
    // The waiting callers then find the socket closed.
    for suspension in waiting { suspension.resume() }
  }

  /// Closes a socket that its owner released without closing it, on any thread.
  func closeForgotten() {
    guard raw != nil else { return }
    if loop.isCurrent { return close() }
    if loop.performUnlessStopped({ self.close() }) { return }
    endMonitor()
    closeSocket()
  }

  private func closeSocket() {
    guard let raw else { return }
    self.raw = nil
    // A monitor on another loop may be gone before libzmq has closed the connections, and libzmq
    // would wait for it.
    if isReporting { try? raw.monitor(nil) }
    readableHandler = nil
    for file in files { file.remove() }
    files = []
    raw.close()
    context.socketDidClose()
  }

  // MARK: libzmq

  /// - Returns: The endpoint with its wildcards filled in.
  func bind(_ endpoint: String) throws(ZeroMQError) -> String {
    let bound = try call("bind", endpoint: endpoint) { raw throws(SystemError) in
      try raw.bind(endpoint)
      return try raw.lastEndpoint()
    }
    if let file = UnixSocket(boundBy: endpoint) { files.append(file) }
    return bound
  }

  func unbind(_ endpoint: String) throws(ZeroMQError) {
    try call("unbind", endpoint: endpoint) { raw throws(SystemError) in
      try raw.unbind(endpoint)
    }
    for file in files where file.belongs(to: endpoint) { file.remove() }
    files.removeAll { $0.belongs(to: endpoint) }
  }

  /// Calls libzmq. Throws if the socket is closed, and traps on a wrong thread.
  func call<R>(
    _ operation: String,
    endpoint: String? = nil,
    _ body: (RawSocket) throws(SystemError) -> R
  ) throws(ZeroMQError) -> R {
    let raw = try opened(operation)
    do throws(SystemError) {
      return try body(raw)
    } catch {
      throw ZeroMQError(error, endpoint: endpoint)
    }
  }

  /// Returns the socket. Throws if it is closed, and traps on a wrong thread.
  func opened(_ operation: String) throws(ZeroMQError) -> RawSocket {
    loop.checkIsolated()
    guard let raw else {
      throw ZeroMQError(SystemError(errno: ENOTSOCK, operation: operation))
    }
    // Any call on a socket may clear its descriptor's signal.
    mayBeReadable = true
    return raw
  }

  /// Notes that libzmq has no more messages, so the descriptor will signal the next one.
  func foundEmpty() {
    mayBeReadable = false
  }

  // MARK: Readiness

  /// Calls `handler` whenever messages wait.
  func setReadableHandler(_ handler: @escaping () -> Void) {
    loop.checkIsolated()
    readableHandler = handler
    joinLoop()
  }

  func pauseReading() {
    loop.checkIsolated()
    isPaused = true
    guard isOnLoop else { return }
    isOnLoop = false
    loop.remove(self)
  }

  func resumeReading() {
    loop.checkIsolated()
    isPaused = false
    // Using the socket during the pause may have ended the descriptor's signal.
    mayBeReadable = true
    if readableHandler != nil || !waiting.isEmpty { joinLoop() }
  }

  /// Resumes the suspension when a message waits or the socket closes.
  func wait(_ suspension: Suspension) -> (() -> Void)? {
    // The socket may have closed before the caller was suspended.
    guard raw != nil else { return nil }
    waiting.append(suspension)
    joinLoop()
    return { self.waiting.removeAll { $0 === suspension } }
  }

  private func joinLoop() {
    guard !isOnLoop, !isPaused, raw != nil else { return }
    isOnLoop = true
    loop.add(self)
  }

  /// Delivers the socket's events from now on, and nil after the last. An earlier monitor ends.
  @discardableResult
  func startMonitor(
    _ deliver: @escaping @Sendable (MonitorEvent?) -> Void
  ) throws(ZeroMQError) -> Monitor {
    endMonitor()
    let monitor = try Monitor(self, deliver)
    self.monitor = monitor
    return monitor
  }

  /// Returns a new stream of the socket's events.
  func startMonitor(bufferingNewest limit: Int) throws(ZeroMQError) -> AsyncStream<MonitorEvent> {
    let (events, continuation) = AsyncStream.makeStream(
      of: MonitorEvent.self,
      bufferingPolicy: .bufferingNewest(limit)
    )
    let monitor = try startMonitor { event in
      if let event { continuation.yield(event) } else { continuation.finish() }
    }
    continuation.onTermination = { [loop, weak self, weak monitor] _ in
      _ = loop.performUnlessStopped { [weak self, weak monitor] in
        if let monitor { self?.endMonitor(monitor) }
      }
    }
    return events
  }

  func report(to monitor: ConnectionMonitor) throws(ZeroMQError) {
    endMonitor()
    try call("monitor") { raw throws(SystemError) in
      // Without failures to accept, which come by the thousand when no descriptor is left.
      try raw.monitor(
        monitor.endpoint,
        events: ZMQ_EVENT_LISTENING | ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED
          | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
          | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL)
    }
    isReporting = true
  }

  /// Ends the monitor after the events so far. If `ended` is given, only if it is still the current
  /// one.
  func endMonitor(_ ended: Monitor? = nil) {
    guard let monitor, ended == nil || ended === monitor else { return }
    self.monitor = nil
    // Makes libzmq close its side. This fails only if that side is closed already.
    try? raw?.monitor(nil)
    monitor.end()
  }
}

extension SocketCore: EventSource {
  func hasWork() -> Bool {
    guard mayBeReadable, let raw else { return false }
    let hasReader = readableHandler != nil || !waiting.isEmpty
    // A reader called in vain finds out by receiving, which asks libzmq the same question.
    if isSignalled, hasReader { return true }
    // ZMQ_FD signals changes, and reading the state clears the signal. So read the state even
    // without a reader.
    guard let events = try? raw.option(ZMQ_EVENTS, as: Int32.self) else { return false }
    mayBeReadable = events & ZMQ_POLLIN != 0
    return mayBeReadable && hasReader
  }

  func descriptorBecameReadable() {
    mayBeReadable = true
    isSignalled = true
  }

  func process() {
    isSignalled = false
    // One reader per turn. It may leave messages, because the loop comes again.
    if let first = waiting.first {
      first.resume()
    } else {
      readableHandler?()
    }
  }
}
