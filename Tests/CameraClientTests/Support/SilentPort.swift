import Glibc
import TestSupport

/// A port of the loopback that answers nobody for as long as this is held.
final class SilentPort: Sendable {
  let endpoint: String
  private let descriptor: Int32

  /// - Parameter accepts: Whether the kernel accepts connections, as for a stopped program;
  ///   otherwise it refuses them.
  init(accepts: Bool = false) throws {
    let socket = try LoopbackSocket()
    if accepts { try socket.listen() }
    descriptor = socket.descriptor
    endpoint = socket.endpoint
  }

  deinit { close(descriptor) }
}
