import EventLoop
import Glibc
import Testing
import ZeroMQ

@testable import CameraClient

/// What the client concludes about the program at the control endpoint.
@Suite(.timeLimit(.minutes(5)))
struct PeerTests {
  @Test func `A port that accepts and says nothing is a program that hangs`() async throws {
    let port = try SilentPort(accepts: true)
    let peer = try await Visitor.peer(at: port.endpoint)
    #expect(peer == .mute)
    let endpoint = try Endpoint(port.endpoint)
    #expect(CameraBusError.unreachable(endpoint, peer, nil).message.contains("kill -CONT"))
    withExtendedLifetime(port) {}
  }

  @Test(
    arguments: [
      ([.handshakeFailed(.connection(errno: EAGAIN)), .disconnected], .mute),
      ([.handshakeFailed(.connection(errno: ECONNREFUSED)), .disconnected], .mute),
      ([.handshakeFailed(.connection(errno: EPIPE)), .disconnected], .foreigner),
      ([.handshakeFailed(.connection(errno: ECONNRESET)), .disconnected], .foreigner),
      ([.handshakeFailed(.violation(code: 1)), .disconnected], .foreigner),
      ([.disconnected], .foreigner),
      ([.handshakeFailed(.connection(errno: EAGAIN)), .disconnected, .connected], .greeting),
      ([.handshakeFailed(.connection(errno: EAGAIN)), .disconnected, .closed], .absent),
      ([.handshakeSucceeded, .disconnected], .absent),
    ] as [([MonitorEvent.Kind], Peer)])
  func `Only a peer that closes or says something wrong is no node`(
    events: [MonitorEvent.Kind], expected: Peer
  ) {
    #expect(events.reduce(Peer.absent.after(.connected)) { $0.after($1) } == expected)
  }
}

/// Connects once and waits for the end of the connection.
private actor Visitor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private init(_ loop: EventLoop) { self.loop = loop }

  /// What is at the endpoint, after a short time for its greeting.
  static func peer(at endpoint: String) async throws -> Peer {
    let context = try Context()
    let loop = EventLoop(name: "visitor")
    defer { loop.stop() }
    let peer = try await Visitor(loop).visit(endpoint, context)
    try context.close()
    return peer
  }

  private func visit(_ endpoint: String, _ context: Context) async throws -> Peer {
    let socket = try Socket<Dealer>(context, on: loop)
    defer { socket.close() }
    socket.handshakeTimeout = .milliseconds(20)
    let events = try socket.monitor()
    try socket.connect(endpoint)
    var peer = Peer.absent
    for await event in events {
      peer = peer.after(event.kind)
      if event.kind == .disconnected { break }
    }
    return peer
  }
}
