import CameraClient
import CameraProtocol
import EventLoop
import Foundation
import OperatingSystem
import SwiftProtobuf
import Testing
import ZeroMQ

/// A node that does what a test says, over real sockets. It can be hostile, silent or late, unlike
/// a real node.
actor FakeNode {
  /// A request and the client that sent it.
  struct Incoming: Sendable {
    var client: [UInt8]
    var request: WireRequest
    var id: RequestID
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  /// All requests except those for the status, which the node answers by itself.
  nonisolated let requests: AsyncStream<Incoming>
  /// The subscriptions that are made and ended on the events and frames sockets.
  nonisolated let subscriptions: AsyncStream<Subscription>

  private let context: Context
  private let received: AsyncStream<Incoming>.Continuation
  private let subscribed: AsyncStream<Subscription>.Continuation
  private(set) var epoch = Epoch.random()
  private(set) var control = ""
  private(set) var sockets = Sockets()
  private var status = Status()
  /// Clients whose messages are ignored.
  private var deadClients: Set<[UInt8]> = []
  private var onUnbound: (() -> Void)?
  private var pulse: LoopTimer?

  struct Sockets {
    var router: Socket<Router>?
    var events: Socket<XPub>?
    var frames: Socket<XPub>?
  }

  /// What the node answers to requests for its status.
  private struct Status {
    var isAnswered = true
    var requestCount = 0
    var eventsEndpoint = ""
    var framesEndpoint = ""
    var cameras: [WireCameraStatus] = [.camera("cam", .ready)]
    /// The numbers of the last events, by topic.
    var lastSequences: [String: UInt64] = [:]
  }

  var statusRequests: Int { status.requestCount }

  init(on loop: EventLoop, _ context: Context) {
    self.loop = loop
    self.context = context
    (requests, received) = AsyncStream.makeStream(of: Incoming.self)
    (subscriptions, subscribed) = AsyncStream.makeStream(of: Subscription.self)
  }

  func open() throws {
    status.eventsEndpoint = try publish { $0.sockets.events = $1 }
    status.framesEndpoint = try publish { $0.sockets.frames = $1 }
    control = try listen("tcp://127.0.0.1:*")
  }

  func close() {
    pulse?.cancel()
    for socket in [sockets.events, sockets.frames] { socket?.close() }
    sockets.router?.close()
    received.finish()
    subscribed.finish()
  }

  private func publish(_ keep: (isolated FakeNode, Socket<XPub>) -> Void) throws -> String {
    let socket = try Socket<XPub>(context, on: loop)
    socket.report(.all)
    keep(self, socket)
    let subscribed = subscribed
    socket.onReadable { [weak self] in
      self?.assumeIsolated { node in
        for socket in [node.sockets.events, node.sockets.frames] {
          while let part = (try? socket?.receive())?.first {
            if let subscription = Subscription(part) { subscribed.yield(subscription) }
          }
        }
      }
    }
    return try socket.bind("tcp://127.0.0.1:*")
  }

  private func listen(_ endpoint: String) throws -> String {
    let socket = try Socket<Router>(context, on: loop)
    try socket.onMonitorEvent { [weak self] event in
      guard event.kind == .closed else { return }
      self?.assumeIsolated { $0.onUnbound?() }
    }
    socket.onReadable { [weak self] in self?.assumeIsolated { $0.read() } }
    sockets.router = socket
    return try socket.bind(endpoint)
  }

  /// Cuts all control connections and listens again at the same endpoint.
  /// - Parameters:
  ///   - epoch: The epoch of a new start; nil for the same start.
  ///   - cameras: What they are after it.
  ///   - lastSequences: The numbers of the last events since a new start.
  func comeBack(
    as epoch: Epoch? = nil,
    cameras: [WireCameraStatus]? = nil,
    lastSequences: [Topic: UInt64] = [:]
  ) async throws {
    await withCheckedContinuation { continuation in
      onUnbound = { continuation.resume() }
      try? sockets.router?.unbind(control)
    }
    onUnbound = nil
    sockets.router?.close()
    if let epoch {
      self.epoch = epoch
      status.lastSequences = [:]
      for (topic, number) in lastSequences { status.lastSequences[topic.name] = number }
    }
    if let cameras { status.cameras = cameras }
    control = try listen(control)
  }

  /// Restarts, and publishes at other endpoints.
  func move() async throws {
    for socket in [sockets.events, sockets.frames] { socket?.close() }
    status.eventsEndpoint = try publish { $0.sockets.events = $1 }
    status.framesEndpoint = try publish { $0.sockets.frames = $1 }
    try await comeBack(as: .random())
  }

  // MARK: Sending

  /// Ignores this client until it connects again, without closing its connection.
  func goDeaf(to client: [UInt8]) { deadClients.insert(client) }

  func stopAnsweringStatus() { status.isAnswered = false }

  func setCameras(_ cameras: [WireCameraStatus]) { status.cameras = cameras }

  func setLastSequence(_ sequence: UInt64, of topic: Topic) {
    status.lastSequences[topic.name] = sequence
  }

  func reply(
    to incoming: Incoming,
    _ body: WireReply.OneOf_Body,
    index: UInt32 = 1,
    isFinal: Bool = true,
    attachment: [UInt8]? = nil
  ) throws {
    let reply = WireReply.with {
      $0.id = incoming.request.id
      $0.epoch = epoch.data
      $0.index = index
      $0.final = isFinal
      $0.body = body
    }
    try send(
      [Framing.signature, reply.bytes] + [attachment].compactMap(\.self), to: incoming.client)
  }

  func header(_ sequence: UInt64) -> WireHeader {
    .with {
      $0.epoch = epoch.data
      $0.sequence = sequence
      $0.sent.monotonicNs = MonotonicTime.now.nanoseconds
    }
  }

  /// Sends any parts.
  func send(_ parts: [[UInt8]], to client: [UInt8]) throws {
    for (index, part) in ([client] + parts).enumerated() {
      _ = try sockets.router?.send(part, more: index < parts.count)
    }
  }

  func publish(_ event: WireEvent, on topic: Topic, _ sequence: UInt64) throws {
    try publish(event, onTopicNamed: topic.name, sequence)
  }

  func publish(_ event: WireEvent, onTopicNamed topic: String, _ sequence: UInt64) throws {
    try send(topic, header(sequence), event.bytes, sockets.events)
  }

  func publishFrame(_ frame: WireFrameHeader, _ bytes: [UInt8], on topic: Topic, _ sequence: UInt64)
    throws
  {
    var header = header(sequence)
    header.frame = frame
    try send(topic.name, header, bytes, sockets.frames)
  }

  /// Sends a heartbeat now and every second, as a node does. Without it, a slow machine could turn
  /// a test into a silence.
  func beat(_ topic: Topic, last: UInt64) throws {
    try heartbeat(topic, last: last)
    pulse = loop.schedule(at: .now + .seconds(1)) { [weak self] in
      self?.assumeIsolated { try? $0.beat(topic, last: last) }
    }
  }

  func heartbeat(_ topic: Topic, last: UInt64) throws {
    let heartbeat = WireHeartbeat.with {
      $0.topics = [
        .with {
          $0.topic = topic.name
          $0.lastSequence = last
        }
      ]
    }
    let isFrame = if case .frame = topic { true } else { false }
    try send(
      Topic.heartbeat.name, header(1), heartbeat.bytes, isFrame ? sockets.frames : sockets.events)
  }

  private func send(
    _ topic: String,
    _ header: WireHeader,
    _ payload: [UInt8],
    _ socket: Socket<XPub>?
  ) throws {
    _ = try socket?.send(Array(topic.utf8), more: true)
    _ = try socket?.send(header.bytes, more: true)
    _ = try socket?.send(payload)
  }

  // MARK: Receiving

  private func read() {
    while let parts = try? sockets.router?.receive() {
      guard let client = parts.first?.bytes,
        let (request, _) = try? Framing.read(
          WireRequest.self,
          from: parts.dropFirst(),
          bytes: { $0.bytes }
        ),
        let id = RequestID(bytes: request.id)
      else {
        Issue.record("the client sent a message that is no request")
        continue
      }
      if deadClients.contains(client) { continue }
      let incoming = Incoming(client: client, request: request, id: id)
      guard case .status(let body)? = request.body, status.isAnswered else {
        received.yield(incoming)
        continue
      }
      status.requestCount += 1
      try? reply(to: incoming, answer(body))
    }
  }

  private func answer(_ body: WireStatusRequest) -> WireReply.OneOf_Body {
    let wanted = status.cameras.filter { body.camera.isEmpty || $0.name == body.camera }
    guard !wanted.isEmpty || body.camera.isEmpty else {
      return .error(WireError(.noSuchCamera, "there is no camera \(body.camera)", field: "camera"))
    }
    return .status(
      .with { reply in
        reply.nodeName = "fake"
        reply.eventsEndpoint = status.eventsEndpoint
        reply.framesEndpoint = status.framesEndpoint
        reply.cameras = wanted
        reply.topics = status.lastSequences.map { topic, sequence in
          .with {
            $0.topic = topic
            $0.lastSequence = sequence
          }
        }
      }
    )
  }
}
