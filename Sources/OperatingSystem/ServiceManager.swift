import Glibc

/// The service manager that has started this process and wants to be told of its state: systemd, by
/// the protocol of sd_notify(3).
package struct ServiceManager: Sendable {
  /// What a service manager is told.
  package enum State: String, Sendable {
    case ready = "READY=1"
    case alive = "WATCHDOG=1"
    case stopping = "STOPPING=1"
  }

  /// The path of a socket file; one of the abstract namespace begins with `@`.
  private let path: String
  /// How often it must be told that the process is alive; nil if it need not.
  package let watchdogInterval: Duration?

  /// Nil if no service manager wants to be told anything.
  package init?() {
    self.init { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// - Parameter variable: Returns a variable of the environment.
  init?(_ variable: (_ name: String) -> String?) {
    guard let path = variable("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@") else {
      return nil
    }
    self.path = path
    // Children inherit the variables, and must not answer for their parent.
    let isForThisProcess = variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let interval = variable("WATCHDOG_USEC").flatMap { Int64($0) }
    watchdogInterval =
      isForThisProcess ? interval.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
  }

  /// Tells a state. Nobody could be told of a failure.
  package func tell(_ state: State) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      unsafe target.copyBytes(from: bytes)
      if path.hasPrefix("@") { unsafe target[0] = 0 }
    }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let size = socklen_t(offset + bytes.count)
    let text = Array(state.rawValue.utf8)
    _ = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, size)
      }
    }
  }
}
