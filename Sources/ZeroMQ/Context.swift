import CZeroMQ
import EventLoop
import Glibc
import OperatingSystem

// Sendable: libzmq's contexts are thread-safe, and `raw` never changes.
/// The I/O threads and inproc endpoints that sockets share. A process needs one context.
@safe public final class Context: @unchecked Sendable {
  private struct State {
    var openSockets = 0
    var isClosed = false
  }

  /// A router numbers its peers from a number that it gets from rand(3), which always begins with
  /// the same one. A peer that says it is the next number ends the process: libzmq asserts that no
  /// peer has it.
  private static let chooseRandomRoutingIDs: Void = srand(.random(in: 0...UInt32.max))

  /// The operation that needs threads.
  static let start = "start the threads of a context"

  private let raw: UnsafeMutableRawPointer
  private let state = Mutex(State())

  /// Makes a context and starts its threads. They get short time slices (`TimeSlice`), because all
  /// bytes pass through them.
  ///
  /// - Parameter ioThreads: The number of I/O threads. libzmq recommends one for each gigabyte per
  ///   second.
  /// - Throws: `tooManySockets` when the process has no descriptor left, and `tooManyThreads` when
  ///   its user has no thread left.
  public init(ioThreads: Int = 1) throws(ZeroMQError) {
    _ = Self.chooseRandomRoutingIDs
    // libzmq aborts the process when it cannot start its threads: these, and one that closes
    // sockets.
    guard SystemThread.areLeft(ioThreads + 1) else {
      throw ZeroMQError(SystemError(errno: EAGAIN, operation: Self.start))
    }
    guard let raw = unsafe zmq_ctx_new() else {
      throw ZeroMQError(SystemError(errno: zmq_errno(), operation: "make a context"))
    }
    unsafe self.raw = unsafe raw
    let status = unsafe zmq_ctx_set(raw, ZMQ_IO_THREADS, Int32(clamping: ioThreads))
    precondition(status == 0, "a context has no \(ioThreads) I/O threads")
    // libzmq starts its threads with the first socket.
    let socket = unsafe TimeSlice.shortForThreadsStarted { unsafe zmq_socket(raw, ZMQ_PAIR) }
    guard let socket = unsafe socket else {
      throw ZeroMQError(SystemError(errno: zmq_errno(), operation: "make a context"))
    }
    unsafe zmq_close(socket)
  }

  deinit {
    // Sockets hold their context, so none are left here.
    if !state.withLock({ $0.isClosed }) { terminate() }
  }

  /// Stops the threads after closed sockets have sent their queued messages or reached their linger
  /// time.
  ///
  /// A second call does nothing. A context that is released without this call closes by itself.
  ///
  /// - Throws: `socketsOpen` when sockets are still open. The context then stays usable.
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

  /// Makes a libzmq socket. The caller owns it and calls `socketDidClose` after closing it.
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
    _ = try? systemCall("end a context") { unsafe zmq_ctx_term(raw) }
  }
}
