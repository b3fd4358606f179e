import CZeroMQ
import EventLoop

// Sendable: libzmq's contexts may be used by all threads, and `raw` never changes.
/// What sockets live in: the I/O threads and the inproc endpoints. One is enough for a process.
@safe public final class Context: @unchecked Sendable {
  private struct State {
    var openSockets = 0
    var isClosed = false
  }

  private let raw: UnsafeMutableRawPointer
  private let state = Mutex(State())

  /// Makes a context and starts its threads, which have short slices of time (`TimeSlice`): all bytes go through them.
  ///
  /// - Parameter ioThreads: Threads that move bytes; libzmq's rule of thumb is one for each gigabyte a second.
  /// - Throws: `tooManySockets` when the process has no descriptor left.
  public init(ioThreads: Int = 1) throws(ZeroMQError) {
    guard let raw = unsafe zmq_ctx_new() else {
      throw ZeroMQError(SystemError(errno: zmq_errno(), operation: "make a context"))
    }
    unsafe self.raw = unsafe raw
    let status = unsafe zmq_ctx_set(raw, ZMQ_IO_THREADS, Int32(clamping: ioThreads))
    precondition(status == 0, "a context has no \(ioThreads) I/O threads")
    // libzmq starts them with the first socket.
    let socket = unsafe TimeSlice.shortForThreadsStarted { unsafe zmq_socket(raw, ZMQ_PAIR) }
    guard let socket = unsafe socket else {
      throw ZeroMQError(SystemError(errno: zmq_errno(), operation: "make a context"))
    }
    unsafe zmq_close(socket)
  }

  deinit {
    // Sockets hold their context, so there are none now.
    if !state.withLock({ $0.isClosed }) { terminate() }
  }

  /// Ends the threads, once all that closed sockets still had to send is sent or their linger time is over.
  ///
  /// A second call does nothing. A context that is let go without it closes by itself.
  ///
  /// - Throws: `socketsOpen` when sockets were not closed; the context then stays as it is.
  public func close() throws(ZeroMQError) {
    let isFirst = try state.withLock { state throws(ZeroMQError) in
      guard state.openSockets == 0 else {
        throw ZeroMQError(
          .socketsOpen,
          "\(state.openSockets) sockets of the context are still open: close them first",
          operation: "close a context"
        )
      }
      defer { state.isClosed = true }
      return !state.isClosed
    }
    if isFirst { terminate() }
  }

  /// Makes a socket of libzmq's; the caller owns it and reports its end by `socketDidClose`.
  func makeSocket(_ type: Int32) throws(ZeroMQError) -> RawSocket {
    try state.withLock { state throws(ZeroMQError) in
      guard !state.isClosed else {
        throw ZeroMQError(SystemError(errno: ETERM, operation: "make a socket"))
      }
      guard let socket = unsafe zmq_socket(raw, type) else {
        throw ZeroMQError(SystemError(errno: zmq_errno(), operation: "make a socket"))
      }
      state.openSockets += 1
      return unsafe RawSocket(socket)
    }
  }

  func socketDidClose() {
    state.withLock { $0.openSockets -= 1 }
  }

  private func terminate() {
    while unsafe zmq_ctx_term(raw) == -1, zmq_errno() == EINTR {}
  }
}
