import CameraProtocol
import EventLoop
import SwiftProtobuf
import TestSupport
import ZeroMQ

/// Connected programs that read nothing, as if they were stopped. Messages to them fill the
/// system's buffers and then stay in the node.
actor StoppedPeers: LoopActor {
  nonisolated let loop = EventLoop(name: "test-stopped")

  private let context: Context
  private var subscribers: [Socket<Sub>] = []
  private var client: Socket<Dealer>?

  private init(_ context: Context) {
    self.context = context
  }

  /// Runs `body` with such programs, and closes them.
  static func with<R: Sendable>(_ body: (StoppedPeers) async throws -> R) async throws -> R {
    let peers = StoppedPeers(try Context())
    return try await attempt {
      try await body(peers)
    } finally: {
      await peers.close()
      peers.loop.stop()
    }
  }

  /// Adds a subscriber that does not read.
  func subscribe(_ topic: String, at endpoint: String) throws {
    let socket = try Socket<Sub>(context, on: loop)
    stop(socket)
    try socket.connect(endpoint)
    socket.subscribe(topic)
    subscribers.append(socket)
  }

  /// Connects a client that sends requests and does not read the replies.
  func connect(to control: String) throws {
    let socket = try Socket<Dealer>(context, on: loop)
    stop(socket)
    try socket.connect(control)
    client = socket
  }

  func send(_ body: WireRequest.OneOf_Body, id: RequestID) throws {
    let request = WireRequest.with {
      $0.id = id.data
      $0.body = body
    }
    _ = try client?.send(Framing.signature, more: true)
    _ = try client?.send(request.bytes)
  }

  private func stop(_ socket: Socket<some ReceivingRole>) {
    socket.receiveHighWaterMark = 1
    socket.receiveBufferSize = 4096
  }

  func close() {
    for socket in subscribers { socket.close() }
    subscribers = []
    client?.close()
    client = nil
  }
}
