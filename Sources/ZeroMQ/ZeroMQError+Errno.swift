import CZeroMQ
import Glibc
import OperatingSystem

extension ZeroMQError {
  /// The only place that translates an error number into a code and a message.
  init(_ error: SystemError, endpoint: String? = nil) {
    let (code, message) =
      endpoint.flatMap { Self.explain(error, at: $0) } ?? Self.explain(error)
    self.init(code, message, operation: error.operation, endpoint: endpoint)
  }

  /// The meaning of the number for an operation on an endpoint.
  private static func explain(_ error: SystemError, at endpoint: String) -> (Code, String)? {
    switch error.errno {
    case EADDRINUSE:
      (
        .addressInUse,
        "\(endpoint) is already in use: stop the other program or choose another \(endpoint.hasPrefix("ipc") ? "path" : "port")"
      )
    case EEXIST:
      (
        .addressInUse,
        "the path of \(endpoint) is not a socket and would be deleted: move it away or choose another path"
      )
    case EADDRNOTAVAIL, ENODEV:
      (
        .addressNotAvailable,
        "this machine has no address or interface as in \(endpoint): use one of its own, or * for all"
      )
    case EINVAL:
      (
        .malformedEndpoint,
        "'\(endpoint)' is no endpoint: write tcp://HOST:PORT, ipc://PATH or inproc://NAME"
      )
    case EPROTONOSUPPORT, ENOCOMPATPROTO:
      (
        .unsupportedTransport,
        "the transport of \(endpoint) cannot be used here: take tcp, ipc or inproc"
      )
    case ENOENT where error.operation == "bind":
      (.notFound, "the folder of \(endpoint) does not exist: create it or choose another path")
    case ENOENT:
      (
        .notFound,
        "the socket is not at \(endpoint): name the endpoint as bind returned it, or as it was given to connect"
      )
    case EACCES, EPERM:
      (
        .permissionDenied,
        "no permission to \(error.operation) \(endpoint): choose a port from 1024 up, or a path whose folder you may write to"
      )
    case ENAMETOOLONG:
      (
        .malformedEndpoint,
        "the path of \(endpoint) has more than \(UnixSocket.longestPath) bytes: put the socket into a "
          + "folder with a shorter path"
      )
    default: nil
    }
  }

  private static func explain(_ error: SystemError) -> (Code, String) {
    switch error.errno {
    case EHOSTUNREACH:
      (.peerUnreachable, "no peer has this routing ID: it has gone or never came")
    case ENOTSOCK:
      (.socketClosed, "the socket was closed: make a new one to \(error.operation)")
    case ETERM:
      (.contextClosed, "the context was closed: close it only after everything that uses it")
    case EFSM:
      (.wrongState, "the socket cannot \(error.operation) now: finish what was begun before")
    case EMFILE:
      (
        .tooManySockets,
        "no socket is left: close some, or raise the limit of open files (ulimit -n)"
      )
    case EAGAIN where error.operation == Context.start:
      (
        .tooManyThreads,
        "no thread is left for libzmq: end other programs, or allow more threads (ulimit -u, TasksMax)"
      )
    case ENOMEM:
      (.outOfMemory, "there is no memory left to \(error.operation)")
    case ENOTSUP:
      (
        .curveUnavailable,
        "the installed libzmq cannot encrypt: install one that is built with CURVE"
      )
    default:
      (.other, "cannot \(error.operation): \(error.reason) (errno \(error.errno))")
    }
  }
}
