import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import Imaging
import ZeroMQ

/// Gives every publication the node's epoch and a number within its topic, and sends heartbeats
/// with the last number of every topic. Its sockets share the topics and their numbers.
// @unchecked: confined to its loop, which the sockets check.
final class Publisher: @unchecked Sendable {
  static let heartbeatInterval = Duration.seconds(1)
  /// How many heartbeats tell who has lost the last publications of a topic that has ended.
  private static let lastBeats = 10

  private(set) var subscriptions = SubscriptionTable<PeerConnection>()
  /// The last events; frames are not kept.
  private(set) var log = EventLog()
  /// The prefixes of the subscriptions that were read last, also of those that repeat one.
  private(set) var arrivals: Set<[UInt8]> = []
  /// The most of them that are kept.
  private static let maximumArrivals = 4096
  /// Called after subscriptions have begun or ended, or were repeated.
  var onSubscriptionsChanged: (() -> Void)?

  private let context: Context
  private let loop: EventLoop
  private let epoch: Epoch
  private let queueLength: Int
  private let rest: ClosedRange<Duration>?
  private var sockets: [PublicationSocket] = []
  private var header = HeaderWriter()
  private var pulse = HeartbeatWriter()
  private var topics: [PublishedTopic] = []
  private var forgotten = ForgottenTopics()
  private let heartbeat = PublishedTopic(Topic.heartbeat.name)
  private let copies = FrameCopies()
  private var heartbeatTimer: LoopTimer?

  /// - Parameters:
  ///   - queueLength: The most publications that wait for one subscriber. libzmq drops further
  ///     ones.
  ///   - rest: How long subscriptions wait after others were read: see `SubscriptionRest`.
  init(
    _ context: Context, on loop: EventLoop, epoch: Epoch, queueLength: Int,
    rest: ClosedRange<Duration>? = nil
  ) {
    self.context = context
    self.loop = loop
    self.epoch = epoch
    self.queueLength = queueLength
    self.rest = rest
  }

  // MARK: Sockets

  /// Opens a socket and binds it.
  /// - Parameters:
  ///   - endpoints: Of which the first one that is free is bound.
  ///   - cameras: The cameras that its subscribers are limited to; nil for all.
  ///   - ipc: The endpoint on the same machine, if there is one.
  ///   - connections: Watches the subscribers.
  /// - Returns: The endpoint with wildcards resolved.
  func open(
    _ endpoints: [String], for cameras: Set<String>? = nil, ipc: String? = nil, by doors: Doors,
    connections: EndpointWatch? = nil
  ) throws(ZeroMQError) -> String {
    let socket = try PublicationSocket(
      context, on: loop, for: cameras, queueLength: queueLength, rest: rest,
      connections: connections)
    let bound: String
    do throws(ZeroMQError) {
      bound = try socket.bind(endpoints, ipc: ipc, by: doors)
    } catch {
      socket.close()
      throw error
    }
    socket.onChange = { [weak self] change, connection in
      self?.note(change)
      return self?.subscriptions.apply(change, of: connection, for: cameras)
    }
    socket.onChanges = { [weak self] in self?.subscriptionsChanged() }
    sockets.append(socket)
    if heartbeatTimer != nil { socket.start() }
    return bound
  }

  /// Closes the socket for the subscribers that are limited to these cameras.
  func close(for cameras: Set<String>) {
    for socket in sockets where socket.cameras == cameras { socket.close() }
    sockets.removeAll { $0.cameras == cameras }
  }

  /// Starts to read subscriptions and to send heartbeats.
  func start() {
    for socket in sockets { socket.start() }
    beat()
  }

  func close() {
    heartbeatTimer?.cancel()
    for socket in sockets { socket.close() }
    sockets = []
  }

  // MARK: Topics

  func topic(_ name: String) -> PublishedTopic {
    if let topic = topics.first(where: { $0.name == name }) {
      topic.beatsLeft = nil
      return topic
    }
    let topic = PublishedTopic(name, after: forgotten.take(name))
    topics.append(topic)
    return topic
  }

  /// Removes a topic that nobody subscribes to from the heartbeats.
  func forget(_ topic: PublishedTopic) {
    topics.removeAll { $0 === topic }
    forgotten.add(topic.name, topic.sequence)
  }

  /// Forgets the topics of a camera that the node has no more, after some heartbeats.
  func retire(camera: String) {
    for topic in topics where topic.camera == camera { topic.beatsLeft = Self.lastBeats }
  }

  private func forgetRetired() {
    for topic in topics {
      guard let left = topic.beatsLeft else { continue }
      topic.beatsLeft = left - 1
      if left <= 1 { forget(topic) }
    }
  }

  /// The number of the last publication of every topic.
  var lastSequences: [(topic: String, sequence: UInt64)] {
    topics.map { ($0.name, $0.sequence) }
  }

  /// How often a publication was dropped because a subscriber's queue had just become full.
  var overflows: UInt64 { topics.reduce(0) { $0 + $1.overflows } }

  // MARK: Publishing

  /// Publishes an event, and keeps it for monitors that lose it.
  func publish(_ event: [UInt8], on topic: PublishedTopic) {
    let now = write(headerOf: topic)
    for socket in sockets where socket.isFor(topic) {
      send(on: socket, topic, now) { (socket) throws(ZeroMQError) in try socket.send(event) }
    }
    log.append(topic.name, topic.sequence, header: header.bytes.copy, payload: event)
  }

  /// Publishes a frame's bytes, without a copy unless slow subscribers hold too many of the topic's
  /// frames.
  func publish(_ frame: Frame, on topic: PublishedTopic) {
    let now = write(headerOf: topic, frame)
    for socket in sockets where socket.isFor(topic) {
      if topic.lending.hasRoom {
        send(on: socket, topic, now) { (socket) throws(ZeroMQError) in
          try socket.send(sharing: frame, lending: topic.lending)
        }
      } else {
        sendCopy(of: frame, on: socket, topic, now)
      }
      socket.sentFrame(at: .now)
    }
  }

  /// Sends a copy, because slow subscribers hold too many of the topic's frames. If they also hold
  /// many copies, those that take nothing are disconnected.
  private func sendCopy(
    of frame: Frame, on socket: PublicationSocket, _ topic: PublishedTopic, _ now: MonotonicTime
  ) {
    if copies.areMany { socket.endStalled() }
    guard copies.haveRoom else {
      topic.overflows += 1
      return
    }
    send(on: socket, topic, now) { (socket) throws(ZeroMQError) in
      try socket.send(sharing: copies.copy(frame))
    }
  }

  /// Gives the publication its number and writes its header.
  private func write(headerOf topic: PublishedTopic, _ frame: Frame? = nil) -> MonotonicTime {
    topic.sequence += 1
    let now = MonotonicTime.now
    header.write(
      PublicationHeader(
        epoch: epoch,
        sequence: topic.sequence,
        sent: .init(now, frame?.metadata.wallClock ?? .now()),
        frame: frame.map(topic.header)
      )
    )
    return now
  }

  private func send(
    on socket: PublicationSocket, _ topic: PublishedTopic, _ now: MonotonicTime,
    payload: (Socket<XPub>) throws(ZeroMQError) -> Bool
  ) {
    let isDropped = socket.send(on: topic, header: header.bytes, at: now, payload: payload)
    if isDropped { topic.overflows += 1 }
  }

  private func beat() {
    removeEndedConnections()
    let now = write(headerOf: heartbeat)
    for socket in sockets {
      pulse.begin()
      for topic in topics where socket.isFor(topic) {
        pulse.add(topic: topic.bytes, lastSequence: topic.sequence)
      }
      send(on: socket, heartbeat, now) { (socket) throws(ZeroMQError) in
        try socket.send(pulse.bytes)
      }
    }
    forgetRetired()
    heartbeatTimer = loop.schedule(at: .now + Self.heartbeatInterval) { [weak self] in
      self?.beat()
    }
  }

  // MARK: Subscriptions

  private func note(_ change: Subscription) {
    guard change.isBeginning, arrivals.count < Self.maximumArrivals else { return }
    arrivals.insert(change.prefix)
  }

  private func subscriptionsChanged() {
    // libzmq reports the end of a connection as the ends of its subscriptions, without saying which
    // connection it was.
    _ = subscriptions.removeConnections { !$0.isOpen }
    onSubscriptionsChanged?()
    arrivals = []
  }

  /// libzmq reports the end of a connection shortly before it closes the descriptor, so some
  /// connections that have ended are found only here.
  private func removeEndedConnections() {
    if subscriptions.removeConnections(where: { !$0.isOpen }) { onSubscriptionsChanged?() }
  }
}
