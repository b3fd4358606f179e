import CameraProtocol
import EventLoop
import SwiftProtobuf
import TestSupport
import ZeroMQ

/// One reply as received.
struct Reply: Sendable {
  var wire: WireReply
  var attachment: [UInt8]?
}

/// One publication as received.
struct Publication: Sendable {
  var topic: String
  var header: WireHeader
  var payload: [UInt8]
}

/// A client made of bare sockets, so that tests see the bytes on the wire and can send malformed
/// ones.
///
/// It keeps everything that arrives, and tests wait for what they need. The time limits of the
/// tests end a wait for something that never arrives.
actor TestClient: LoopActor {
  nonisolated let loop = EventLoop(name: "test-client")

  enum Feed { case events, frames }

  private let context: Context
  private var control = ""
  private var requests: Socket<Dealer>?
  private var subscribers: [Feed: Socket<Sub>] = [:]
  private var publications: [Feed: [Publication]] = [:]
  private var waiting: [Suspension] = []
  private var arrivals = 0
  private(set) var replies: [Reply] = []

  var events: [Publication] { publications[.events, default: []] }
  var frames: [Publication] { publications[.frames, default: []] }

  private init(_ context: Context) {
    self.context = context
  }

  /// Runs `body` with a connected client and closes it.
  static func with<R: Sendable>(
    control: String, events: String, frames: String, _ body: (TestClient) async throws -> R
  ) async throws -> R {
    let client = TestClient(try Context())
    try await client.connect(control, events, frames)
    return try await attempt {
      try await body(client)
    } finally: {
      await client.close()
      client.loop.stop()
    }
  }

  private func connect(_ control: String, _ events: String, _ frames: String) throws {
    self.control = control
    try reconnect()
    try subscribe(.events, at: events)
    try subscribe(.frames, at: frames)
  }

  /// Drops the connection for requests, with everything under way on it, and makes a new one.
  func reconnect() throws {
    requests?.linger = .zero
    requests?.close()
    let requests = try Socket<Dealer>(context, on: loop)
    requests.sendHighWaterMark = 0
    try requests.connect(control)
    requests.onReadable { [weak self] in self?.assumeIsolated { $0.readReplies() } }
    self.requests = requests
  }

  private func subscribe(_ feed: Feed, at endpoint: String) throws {
    let socket = try Socket<Sub>(context, on: loop)
    try socket.connect(endpoint)
    socket.onReadable { [weak self] in self?.assumeIsolated { $0.readPublications(of: feed) } }
    subscribers[feed] = socket
  }

  private func close() {
    requests?.close()
    for socket in subscribers.values { socket.close() }
  }

  // MARK: Sending

  func send(parts: [[UInt8]]) throws {
    for (index, part) in parts.enumerated() {
      _ = try requests?.send(part, more: index < parts.count - 1)
    }
  }

  func subscribe(frames topic: String) { subscribers[.frames]?.subscribe(topic) }

  func unsubscribe(frames topic: String) { subscribers[.frames]?.unsubscribe(topic) }

  /// Subscribes to events and waits until the node knows. Call it once per client, because the
  /// heartbeat that proves it must be a new one.
  func follow(_ prefix: String = "event/") async throws {
    subscribers[.events]?.subscribe(prefix)
    subscribers[.events]?.subscribe(Topic.heartbeat.name)
    _ = try await arrival { $0.events.first { $0.topic == Topic.heartbeat.name } }
  }

  // MARK: Arriving

  /// Waits until `find` returns a value.
  func arrival<R: Sendable>(_ find: @Sendable (isolated TestClient) -> R?) async throws -> R {
    while true {
      if let found = find(self) { return found }
      let seen = arrivals
      try await loop.suspend { suspension in
        // Something may have arrived before the caller was suspended.
        let isWaiting = self.assumeIsolated { client in
          guard client.arrivals == seen else { return false }
          client.waiting.append(suspension)
          return true
        }
        return isWaiting ? {} : nil
      }
    }
  }

  private func arrived() {
    arrivals += 1
    let waiting = waiting
    self.waiting = []
    for suspension in waiting { suspension.resume() }
  }

  private func readReplies() {
    while let parts = try? requests?.receive() {
      guard parts.count >= 2, parts[0].bytes == Framing.signature,
        let wire = try? WireReply(serializedBytes: parts[1].bytes)
      else { continue }
      replies.append(Reply(wire: wire, attachment: parts.count > 2 ? parts[2].bytes : nil))
    }
    arrived()
  }

  private func readPublications(of feed: Feed) {
    while let parts = try? subscribers[feed]?.receive() {
      if let publication = Publication(parts) {
        publications[feed, default: []].append(publication)
      }
    }
    arrived()
  }
}

extension Publication {
  fileprivate init?(_ parts: [ZeroMQ.Message]) {
    guard parts.count == 3, let header = try? WireHeader(serializedBytes: parts[1].bytes) else {
      return nil
    }
    self.init(
      topic: String(decoding: parts[0].bytes, as: UTF8.self), header: header,
      payload: parts[2].bytes)
  }

  /// The event, if the topic is an event's.
  var event: WireEvent? {
    guard topic.hasPrefix("event/") else { return nil }
    return try? WireEvent(serializedBytes: payload)
  }

  var heartbeat: WireHeartbeat? {
    guard topic == Topic.heartbeat.name else { return nil }
    return try? WireHeartbeat(serializedBytes: payload)
  }
}
