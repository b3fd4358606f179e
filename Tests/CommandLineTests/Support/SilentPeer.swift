import EventLoop
import TestSupport
import ZeroMQ

/// A DEALER socket with a key that connects and says nothing.
// @unchecked: the socket belongs to the loop.
final class SilentPeer: @unchecked Sendable {
  let events = Recorded<MonitorEvent.Kind>()
  private let loop = EventLoop(name: "silent")
  private let context: Context
  private var socket: Socket<Dealer>?

  init(_ endpoint: String, _ keys: CurveKeyPair, of node: KeyedNode) async throws {
    context = try Context()
    try await loop.run { [self] in
      let socket = try Socket<Dealer>(context, on: loop)
      try socket.encrypt(asClient: keys, of: node.nodeKey)
      try socket.onMonitorEvent { [events] in events.add($0.kind) }
      try socket.connect(endpoint)
      self.socket = socket
    }
  }

  func close() async {
    await loop.run { [self] in socket?.close() }
    loop.stop()
    try? context.close()
  }
}
