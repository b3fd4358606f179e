import CZeroMQ
import EventLoop
import Glibc

// Sendable: touched on the loop's thread alone, which every call checks; after the loop's end by the last owner alone.
/// A socket whatever its role: libzmq's socket, its place on the loop, and who waits for its messages.
final class SocketCore: @unchecked Sendable {
  let context: Context
  let loop: EventLoop
  let descriptor: Int32
  /// The most parts of a message that is received.
  var maximumParts = 64
  private var raw: RawSocket?
  private var isOnLoop = false
  /// Whether the last part that was sent said that more come.
  var isMidMessage = false
  private var readableHandler: (@Sendable () -> Void)?
  /// While there is one, messages wait and nobody is told.
  private var restTimer: LoopTimer?
  private var waiting: [Suspension] = []
  /// Whether messages may wait that nobody was told of: asking libzmq costs system calls, so that it is asked only then.
  private var mayBeReadable = true
  /// Whether the descriptor has just signalled, mostly a message.
  private var isSignalled = false
  private var monitor: Monitor?

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
    restTimer?.cancel()
    if isOnLoop { loop.remove(self) }
    closeSocket()
    // They find the socket closed.
    for suspension in waiting { suspension.resume() }
  }

  /// Closes what its owner let go without closing it, on whatever thread that was.
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
    readableHandler = nil
    raw.close()
    context.socketDidClose()
  }

  // MARK: libzmq

  /// Calls libzmq, unless the socket is closed or the thread is the wrong one.
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

  /// The socket, unless it is closed or the thread is the wrong one.
  func opened(_ operation: String) throws(ZeroMQError) -> RawSocket {
    loop.checkIsolated()
    guard let raw else {
      throw ZeroMQError(SystemError(errno: ENOTSOCK, operation: operation))
    }
    // Whatever is done with a socket may end the signal of its descriptor.
    mayBeReadable = true
    return raw
  }

  /// Nothing waits: the descriptor will signal the next message. For who has just been told so by libzmq.
  func foundEmpty() {
    mayBeReadable = false
  }

  // MARK: Readiness

  /// Calls `handler` whenever messages wait.
  func setReadableHandler(_ handler: @escaping @Sendable () -> Void) {
    loop.checkIsolated()
    readableHandler = handler
    joinLoop()
  }

  /// Lets messages wait for a while from now on.
  func rest(for duration: Duration) {
    loop.checkIsolated()
    guard raw != nil else { return }
    joinLoop()
    restTimer?.cancel()
    loop.setResting(self, true)
    restTimer = loop.schedule(at: .now + duration) { [weak self] in self?.endRest() }
  }

  private func endRest() {
    restTimer = nil
    // Its signal may have been ended by what was done with the socket meanwhile.
    mayBeReadable = true
    loop.setResting(self, false)
  }

  /// Resumes the suspension when a message waits or the socket closes.
  func wait(_ suspension: Suspension) -> (() -> Void)? {
    // It may have closed while the caller was on its way.
    guard raw != nil else { return nil }
    waiting.append(suspension)
    joinLoop()
    return { self.waiting.removeAll { $0 === suspension } }
  }

  private func joinLoop() {
    guard !isOnLoop, raw != nil else { return }
    isOnLoop = true
    loop.add(self)
  }

  /// Delivers the socket's events from now on, and nil after the last; an earlier monitor ends.
  @discardableResult
  func startMonitor(
    _ deliver: @escaping @Sendable (MonitorEvent?) -> Void
  ) throws(ZeroMQError) -> Monitor {
    endMonitor()
    let monitor = try Monitor(self, deliver)
    self.monitor = monitor
    return monitor
  }

  /// Sends the socket's events to a new stream.
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

  /// Ends the monitor after the events so far; given a monitor, only if it is still the socket's.
  func endMonitor(_ ended: Monitor? = nil) {
    guard let monitor, ended == nil || ended === monitor else { return }
    self.monitor = nil
    // Makes libzmq close its side; it fails only when that is closed already.
    try? raw?.monitor(nil)
    monitor.end()
  }
}

extension SocketCore: EventSource {
  func hasWork() -> Bool {
    guard mayBeReadable, restTimer == nil, let raw else { return false }
    let hasReader = readableHandler != nil || !waiting.isEmpty
    // Whoever is called for nothing finds it out by receiving, which asks libzmq the same.
    if isSignalled, hasReader { return true }
    // ZMQ_FD signals changes, not states, and asking for the state ends the signal: so ask even if no one waits.
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
    // One turn is one reader's, who may leave messages: the loop comes again.
    if let first = waiting.first {
      first.resume()
    } else {
      readableHandler?()
    }
  }
}
