import EventLoop
import TestSupport
import ZeroMQ

/// A control endpoint that takes requests and never answers, as a node that hangs.
// @unchecked: the socket belongs to the loop.
final class SilentNode: @unchecked Sendable {
  let control: String
  private let loop = EventLoop(name: "silent")
  private let context: Context
  private var socket: Socket<Router>?

  init(in folder: TemporaryFolder) async throws {
    control = "ipc://\(folder.path)/silent"
    context = try Context()
    try await loop.run { [self] in
      let socket = try Socket<Router>(context, on: loop)
      _ = try socket.bind(control)
      self.socket = socket
    }
  }

  func close() async {
    await loop.run { [self] in socket?.close() }
    loop.stop()
    try? context.close()
  }
}
