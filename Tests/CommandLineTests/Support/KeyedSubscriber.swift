import CameraNode
import EventLoop
import TestSupport
import ZeroMQ

/// A plain SUB socket with a key.
// @unchecked: the socket belongs to the loop.
final class KeyedSubscriber: @unchecked Sendable {
  let topics = Recorded<String>()
  /// The payloads, as text.
  let heartbeats = Recorded<String>()
  let failures = Recorded<MonitorEvent.HandshakeFailure>()
  private let loop = EventLoop(name: "subscriber")
  private let context: Context
  private var socket: Socket<Sub>?

  init(
    _ endpoint: String, _ keys: CurveKeyPair, of node: KeyedNode, prefixes: [String]
  ) async throws {
    context = try Context()
    try await loop.run { [self] in
      let socket = try Socket<Sub>(context, on: loop)
      try socket.encrypt(asClient: keys, of: node.nodeKey)
      for prefix in prefixes { socket.subscribe(prefix) }
      try socket.onMonitorEvent { [failures] event in
        if case .handshakeFailed(let failure) = event.kind { failures.add(failure) }
      }
      socket.onReadable { [weak self] in self?.read() }
      try socket.connect(endpoint)
      self.socket = socket
    }
  }

  private func read() {
    while let parts = try? socket?.receive() {
      let topic = String(decoding: parts[0].bytes, as: UTF8.self)
      if topic == "heartbeat/" { heartbeats.add(String(decoding: parts[2].bytes, as: UTF8.self)) }
      topics.add(topic)
    }
  }

  func close() async {
    await loop.run { [self] in socket?.close() }
    loop.stop()
    try? context.close()
  }
}
