import Glibc
import OperatingSystem

/// A file that cannot be opened until it is released: the call waits. It is held by a lease
/// (fcntl(2), F_SETLEASE), which the kernel takes away after 45 s at the latest.
package final class HeldFile: Sendable {
  // Swift does not import these two, which Linux alone has.
  private static let setSignal: Int32 = 10
  private static let setLease: Int32 = 1024

  private let descriptor: Int32

  /// - Parameter path: A file of this user that is not open.
  package init(_ path: String) throws {
    descriptor = try systemCall("open \(path)") { unsafe open(path, O_RDWR | O_CLOEXEC) }
    // The kernel sends a signal when a call begins to wait. This one is ignored by default.
    try systemCall("F_SETSIG \(path)") { fcntl(descriptor, Self.setSignal, SIGURG) }
    try systemCall("F_SETLEASE \(path)") { fcntl(descriptor, Self.setLease, F_WRLCK) }
  }

  deinit { _ = close(descriptor) }

  /// Lets the waiting calls go on.
  package func release() { _ = fcntl(descriptor, Self.setLease, F_UNLCK) }
}
