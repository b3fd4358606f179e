import CAvahi
import CLinux
import Dispatch
import Glibc
import OperatingSystem

/// What uses a connection to the Avahi daemon. All calls come on the connection's thread.
protocol AvahiUser: AnyObject {
  /// Takes a new state of the connection. The first one of a new connection is never a failure.
  /// - Parameter client: Valid until ``end()``. Do not free it.
  func take(_ state: AvahiClientState, of client: OpaquePointer)
  /// The connection is about to be closed, which also frees everything that was made with it.
  func end()
  /// Avahi cannot be used. It is tried again.
  func report(_ problem: AvahiProblem)
  /// Whether something is so wrong that only a new connection helps.
  var needsNewConnection: Bool { get }
}

/// A thread with a connection to the Avahi daemon, which is made again when the daemon or D-Bus has
/// gone.
///
/// The library waits for answers of the daemon, up to 25 s of one that hangs, so nothing else runs
/// on the thread.
final class AvahiThread: Sendable {
  /// How long it waits before it asks again, where no event tells that this is worthwhile.
  private static let pause: Duration = .seconds(5)

  // @unchecked: the pointer never changes, and is used only as the mutex allows.
  @safe private struct Poll: @unchecked Sendable {
    let avahi: UnsafePointer<CAvahi>
    let pointer: OpaquePointer

    func wake() { unsafe avahi.pointee.simple_poll_wakeup(pointer) }
  }

  private struct State {
    var isStopping = false
    /// While the thread may wait in it.
    var poll: Poll?
  }

  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Starts the thread. Where the system has none left, the user is told so on the caller's.
  /// - Parameter makeUser: Called on the thread.
  init(_ makeUser: @escaping @Sendable () -> any AvahiUser) {
    let thread = SystemThread.start { [self] in
      unsafe CLinux_setThreadName("avahi")
      run(makeUser())
      ended.signal()
    }
    if let thread {
      pthread_detach(thread)
    } else {
      makeUser().report(.noThread)
      ended.signal()
    }
  }

  /// Ends the connection soon. Any thread may call it, at any time.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      state.poll?.wake()
    }
  }

  /// Waits for the end, but no longer than this: a daemon may hang.
  func join(atMost patience: Duration) {
    if ended.wait(timeout: .now() + .nanoseconds(Int(patience.wholeNanoseconds))) == .success {
      ended.signal()
    }
  }

  private func run(_ user: any AvahiUser) {
    guard let avahi = unsafe CAvahi_load() else { return user.report(.noLibrary) }
    while !isStopping {
      guard let pointer = unsafe avahi.pointee.simple_poll_new() else {
        return user.report(.noThread)
      }
      let poll = unsafe Poll(avahi: avahi, pointer: pointer)
      let mayRun = state.withLock { state in
        state.poll = poll
        return !state.isStopping
      }
      if mayRun { unsafe serve(user, avahi, pointer) }
      state.withLock { $0.poll = nil }
      unsafe avahi.pointee.simple_poll_free(pointer)
    }
  }

  /// Serves one connection, and waits a moment after it.
  private func serve(
    _ user: any AvahiUser, _ avahi: UnsafePointer<CAvahi>, _ poll: OpaquePointer
  ) {
    let begin = MonotonicTime.now
    let connection = unsafe Connection(user, avahi)
    // The library holds only its address.
    defer { withExtendedLifetime(connection) {} }
    let context = unsafe Unmanaged.passUnretained(connection).toOpaque()
    var error: Int32 = 0
    let client = unsafe avahi.pointee.client_new(
      avahi.pointee.simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL,
      { client, state, context in
        guard let client = unsafe client, let context = unsafe context else { return }
        unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
          .take(state, of: client)
      }, context, &error)
    if let client = unsafe client {
      while !isStopping, !connection.hasFailed, !user.needsNewConnection {
        guard unsafe avahi.pointee.simple_poll_iterate(poll, -1) == 0 else { break }
      }
      user.end()
      unsafe avahi.pointee.client_free(client)
    } else {
      user.report(.noBus(unsafe avahi.pointee.words(for: error)))
    }
    // A connection that was good is made again at once, and then waits for the daemon.
    let end = max(begin + Self.pause, .now + .milliseconds(100))
    // A stop wakes the poll, so this ends at once then.
    while !isStopping, MonotonicTime.now < end {
      let left = (end - .now).wholeNanoseconds / 1_000_000 + 1
      guard unsafe avahi.pointee.simple_poll_iterate(poll, Int32(left)) == 0 else { break }
    }
  }

  /// One connection, as the library's calls see it.
  @safe private final class Connection {
    private let user: any AvahiUser
    private let avahi: UnsafePointer<CAvahi>
    private(set) var hasFailed = false

    init(_ user: any AvahiUser, _ avahi: UnsafePointer<CAvahi>) {
      self.user = user
      unsafe self.avahi = avahi
    }

    func take(_ state: AvahiClientState, of client: OpaquePointer) {
      switch state {
      case AVAHI_CLIENT_FAILURE:
        // D-Bus or the daemon has gone. The client cannot be freed in its own call.
        hasFailed = true
        let error = unsafe avahi.pointee.client_errno(client)
        user.report(
          [AVAHI_ERR_DISCONNECTED, AVAHI_ERR_NO_DAEMON].contains(Int(error))
            ? .noDaemon : .refused(unsafe avahi.pointee.words(for: error)))
      case AVAHI_CLIENT_CONNECTING: user.report(.noDaemon)
      default: unsafe user.take(state, of: client)
      }
    }
  }
}

extension CAvahi {
  /// The library's words for one of its errors.
  func words(for error: Int32) -> String {
    unsafe strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
  }
}
