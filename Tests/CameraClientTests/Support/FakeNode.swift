import CameraClient
import CameraProtocol
import EventLoop
import Foundation
import OperatingSystem
import SwiftProtobuf
import Testing
import ZeroMQ

/// A node that does what a test says, over real sockets: hostile, silent or late, as no real node
/// is.
actor FakeNode {
  /// A request, and who sent it.
  struct Incoming: Sendable {
    var client: [UInt8]
    var request: WireRequest
    var id: RequestID
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  /// All requests but those for the status, which the node answers by itself.
  nonisolated let requests: AsyncStream<Incoming>
  /// What is subscribed to on the events and on the frames socket, and what no more.
  nonisolated let subscriptions: AsyncStream<Subscription>

  private let context: Context
  private let received: AsyncStream<Incoming>.Continuation
  private let subscribed: AsyncStream<Subscription>.Continuation
  private(set) var epoch = Epoch.random()
  private(set) var control = ""
  private var eventsEndpoint = ""
  private var framesEndpoint = ""
  private var router: Socket<Router>?
  private var events: Socket<XPub>?
  private var frames: Socket<XPub>?
  private var answersStatus = true
  /// Connections that nothing goes over any more.
  private var deadClients: Set<[UInt8]> = []
  private var onUnbound: (() -> Void)?
  /// What the status says of the cameras and of the events' numbers.
  private var cameras: [WireCameraStatus] = [.camera("cam", .ready)]
  private var lastSequences: [String: UInt64] = [:]
  private(set) var statusRequests = 0
  private var pulse: LoopTimer?

  init(on loop: EventLoop, _ context: Context) {
    self.loop = loop
    self.context = context
    (requests, received) = AsyncStream.makeStream(of: Incoming.self)
    (subscriptions, subscribed) = AsyncStream.makeStream(of: Subscription.self)
  }

  func open() throws {
    eventsEndpoint = try publish { $0.events = $1 }
    framesEndpoint = try publish { $0.frames = $1 }
    control = try listen("tcp://127.0.0.1:*")
  }

  func close() {
    pulse?.cancel()
    for socket in [events, frames] { socket?.close() }
    router?.close()
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
        for socket in [node.events, node.frames] {
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
    router = socket
    return try socket.bind(endpoint)
  }

  /// Cuts all control connections, and comes back at the same endpoint.
  /// - Parameter epoch: nil for the same start of the node.
  func comeBack(as epoch: Epoch? = nil) async throws {
    await withCheckedContinuation { continuation in
      onUnbound = { continuation.resume() }
      try? router?.unbind(control)
    }
    onUnbound = nil
    router?.close()
    if let epoch {
      self.epoch = epoch
      lastSequences = [:]
    }
    control = try listen(control)
  }

  /// Starts anew, and publishes elsewhere.
  func move() async throws {
    for socket in [events, frames] { socket?.close() }
    eventsEndpoint = try publish { $0.events = $1 }
    framesEndpoint = try publish { $0.frames = $1 }
    try await comeBack(as: .random())
  }

  // MARK: What it says

  /// Nothing of this client is heard any more until it connects anew, and its connection is not
  /// ended.
  func goDeaf(to client: [UInt8]) { deadClients.insert(client) }

  func stopAnsweringStatus() { answersStatus = false }

  func setCameras(_ cameras: [WireCameraStatus]) { self.cameras = cameras }

  func setLastSequence(_ sequence: UInt64, of topic: Topic) { lastSequences[topic.name] = sequence }

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

  /// Gives events again, all of them the same but for their numbers.
  func replay(
    _ topic: Topic,
    _ numbers: [UInt64],
    _ event: WireEvent = EventTests.state(.ready),
    hasMore: Bool = false,
    to incoming: Incoming
  ) throws {
    let body = WireReplayReply.with {
      $0.more = hasMore
      $0.events = numbers.map { number in
        .with {
          $0.topic = topic.name
          $0.header = Data(header(number).bytes)
          $0.payload = Data(event.bytes)
        }
      }
    }
    try reply(to: incoming, .replay(body))
  }

  private func header(_ sequence: UInt64) -> WireHeader {
    .with {
      $0.epoch = epoch.data
      $0.sequence = sequence
      $0.sent.monotonicNs = MonotonicTime.now.nanoseconds
    }
  }

  /// Sends anything at all.
  func send(_ parts: [[UInt8]], to client: [UInt8]) throws {
    for (index, part) in ([client] + parts).enumerated() {
      _ = try router?.send(part, more: index < parts.count)
    }
  }

  func publish(_ event: WireEvent, on topic: Topic, _ sequence: UInt64) throws {
    try publish(event, onTopicNamed: topic.name, sequence)
  }

  func publish(_ event: WireEvent, onTopicNamed topic: String, _ sequence: UInt64) throws {
    try send(topic, header(sequence), event.bytes, events)
  }

  func publishFrame(_ frame: WireFrameHeader, _ bytes: [UInt8], on topic: Topic, _ sequence: UInt64)
    throws
  {
    var header = header(sequence)
    header.frame = frame
    try send(topic.name, header, bytes, frames)
  }

  /// A heartbeat now and every second, as a node has them: without, a machine that is slow makes a
  /// silence of the rest.
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
    try send(Topic.heartbeat.name, header(1), heartbeat.bytes, isFrame ? frames : events)
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

  // MARK: What it hears

  private func read() {
    while let parts = try? router?.receive() {
      guard let client = parts.first?.bytes,
        let (request, _) = try? Framing.read(
          WireRequest.self,
          from: parts.dropFirst(),
          bytes: { $0.bytes }
        ),
        let id = RequestID(bytes: request.id)
      else {
        Issue.record("the client sent something that is no request")
        continue
      }
      if deadClients.contains(client) { continue }
      let incoming = Incoming(client: client, request: request, id: id)
      guard case .status(let body)? = request.body, answersStatus else {
        received.yield(incoming)
        continue
      }
      statusRequests += 1
      try? reply(to: incoming, answer(body))
    }
  }

  private func answer(_ body: WireStatusRequest) -> WireReply.OneOf_Body {
    let wanted = cameras.filter { body.camera.isEmpty || $0.name == body.camera }
    guard !wanted.isEmpty || body.camera.isEmpty else {
      return .error(WireError(.noSuchCamera, "there is no camera \(body.camera)", field: "camera"))
    }
    return .status(
      .with { status in
        status.nodeName = "fake"
        status.eventsEndpoint = eventsEndpoint
        status.framesEndpoint = framesEndpoint
        status.cameras = wanted
        status.topics = lastSequences.map { topic, sequence in
          .with {
            $0.topic = topic
            $0.lastSequence = sequence
          }
        }
      }
    )
  }
}

extension WireCameraStatus {
  static func camera(_ name: String, _ readiness: WireReadiness) -> WireCameraStatus {
    .with {
      $0.name = name
      $0.state = .running
      $0.readiness = readiness
    }
  }
}
