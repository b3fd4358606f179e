import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import Imaging
import ZeroMQ

/// An XPUB socket that gives every publication the node's epoch and a number within its topic, and
/// sends heartbeats with the last number of every topic.
// @unchecked: confined to its loop, which the socket checks.
final class Publisher: @unchecked Sendable {
  static let heartbeatInterval = Duration.seconds(1)
  /// Subscribers may send without end. Publications must not wait for them, so the reading stops
  /// for a while.
  private static let longestReading = Duration.milliseconds(2)
  private static let readingPause = Duration.milliseconds(10)
  /// The most bytes of a subscription. A subscriber that sends more is disconnected. No topic is as
  /// long as 128 bytes; ZMTP adds 10.
  static let maximumSubscriptionSize = 128 + 10

  private(set) var subscriptions = SubscriptionTable<PeerConnection>()
  /// The last events; frames are not kept.
  private(set) var log = EventLog()
  /// Called after subscriptions have begun or ended.
  var onSubscriptionsChanged: (() -> Void)?

  private let socket: Socket<XPub>
  private let connections: EndpointWatch?
  private let loop: EventLoop
  private let epoch: Epoch
  private var header = HeaderWriter()
  private var pulse = HeartbeatWriter()
  private var topics: [PublishedTopic] = []
  /// The highest number of a forgotten topic. New ones begin behind it, so that the numbers of a
  /// topic that was forgotten and is made again do not run backwards.
  private var forgottenSequence: UInt64 = 0
  private let heartbeat = PublishedTopic(Topic.heartbeat.name)
  private let copies = FrameCopies()
  private var heartbeatTimer: LoopTimer?
  private var rest: SubscriptionRest
  /// Ends the rest if no frame has ended it before.
  private var restTimer: LoopTimer?

  /// - Parameters:
  ///   - queueLength: the most publications that wait for one subscriber. libzmq drops further
  ///     ones.
  ///   - rest: how long subscriptions wait after others were read: see `SubscriptionRest`.
  ///   - connections: watches the subscribers.
  init(
    _ context: Context,
    on loop: EventLoop,
    epoch: Epoch,
    queueLength: Int,
    rest: ClosedRange<Duration>? = nil,
    connections: EndpointWatch? = nil
  ) throws(ZeroMQError) {
    self.connections = connections
    self.loop = loop
    self.epoch = epoch
    self.rest = SubscriptionRest(rest)
    socket = try Socket<XPub>(context, on: loop)
    socket.sendHighWaterMark = queueLength
    socket.maximumMessageSize = Self.maximumSubscriptionSize
    socket.setWaitsForSlow(true)
    socket.report(.all)
    try connections?.begin(socket)
  }

  func bind(_ endpoint: String) throws(ZeroMQError) -> String {
    try socket.bind(endpoint)
  }

  /// Starts to read subscriptions and to send heartbeats.
  func start() {
    socket.onReadable { [weak self] in self?.readSubscriptions() }
    beat()
  }

  func close() {
    heartbeatTimer?.cancel()
    restTimer?.cancel()
    socket.close()
  }

  func topic(_ name: String) -> PublishedTopic {
    if let topic = topics.first(where: { $0.name == name }) { return topic }
    let topic = PublishedTopic(name, after: forgottenSequence)
    topics.append(topic)
    return topic
  }

  /// Removes a topic that nobody subscribes to from the heartbeats.
  func forget(_ topic: PublishedTopic) {
    topics.removeAll { $0 === topic }
    forgottenSequence = max(forgottenSequence, topic.sequence)
  }

  /// The number of the last publication of every topic.
  var lastSequences: [(topic: String, sequence: UInt64)] {
    topics.map { ($0.name, $0.sequence) }
  }

  /// How often a publication was dropped because a subscriber's queue had just become full.
  var overflows: UInt64 { topics.reduce(0) { $0 + $1.overflows } }

  /// Publishes an event, and keeps it for monitors that lose it.
  func publish(_ event: [UInt8], on topic: PublishedTopic) {
    send(event, on: topic)
    log.append(topic.name, topic.sequence, header: header.bytes.copy, payload: event)
  }

  /// Publishes a frame's bytes, without a copy unless slow subscribers hold too many of the topic's
  /// frames.
  func publish(_ frame: Frame, on topic: PublishedTopic) {
    if topic.lending.hasRoom {
      send(on: topic, frame: frame) { () throws(ZeroMQError) in
        try socket.send(sharing: frame, lending: topic.lending)
      }
    } else {
      publishCopy(of: frame, on: topic)
    }
    guard rest.sentFrame(at: .now) else { return }
    // Not now: a subscription would change the list of consumers while they get this frame.
    loop.perform { [weak self] in self?.readSubscriptions() }
  }

  /// Publishes a copy, because slow subscribers hold too many of the topic's frames. If they also
  /// hold many copies, those that take nothing are disconnected.
  private func publishCopy(of frame: Frame, on topic: PublishedTopic) {
    if copies.areMany { connections?.endStalled() }
    guard copies.haveRoom else {
      topic.sequence += 1
      topic.overflows += 1
      return
    }
    send(on: topic, frame: frame) { () throws(ZeroMQError) in
      try socket.send(sharing: copies.copy(frame))
    }
  }

  private func send(_ payload: [UInt8], on topic: PublishedTopic) {
    send(on: topic, frame: nil) { () throws(ZeroMQError) in try socket.send(payload) }
  }

  private func send(
    on topic: PublishedTopic,
    frame: Frame?,
    payload: () throws(ZeroMQError) -> Bool
  ) {
    topic.sequence += 1
    let now = MonotonicTime.now
    rest.publishes(at: now)
    header.write(
      PublicationHeader(
        epoch: epoch,
        sequence: topic.sequence,
        sent: .init(now, frame?.metadata.wallClock ?? .now()),
        frame: frame.map(topic.header)
      )
    )
    do throws(ZeroMQError) {
      try begin(topic)
      _ = try socket.send(header.bytes, more: true)
      _ = try payload()
    } catch {
      preconditionFailure("a publication failed, which XPUB never does: \(error)")
    }
  }

  /// Sends the topic. With this first part libzmq decides which subscribers get the message. Those
  /// whose queue is full do not get it, which is counted; the others do.
  private func begin(_ topic: PublishedTopic) throws(ZeroMQError) {
    guard try !socket.send(topic.bytes, more: true) else { return }
    // There may be room that the socket has not noticed yet.
    try socket.update()
    guard try !socket.send(topic.bytes, more: true) else { return }
    topic.overflows += 1
    socket.setWaitsForSlow(false)
    defer { socket.setWaitsForSlow(true) }
    _ = try socket.send(topic.bytes, more: true)
  }

  private func beat() {
    removeEndedConnections()
    pulse.begin()
    for topic in topics { pulse.add(topic: topic.bytes, lastSequence: topic.sequence) }
    send(pulse.bytes, on: heartbeat)
    heartbeatTimer = loop.schedule(at: .now + Self.heartbeatInterval) { [weak self] in
      self?.beat()
    }
  }

  private func readSubscriptions() {
    var hasChanged = false
    var hasMore = false
    let latest = MonotonicTime.now + Self.longestReading
    do throws(ZeroMQError) {
      while !hasMore, let message = try socket.receive() {
        hasMore = .now > latest
        connections?.read(message[...])
        guard let part = message.first else { continue }
        guard let change = Subscription(part) else { continue }
        hasChanged = true
        if let connection = part.connection,
          let excess = subscriptions.apply(change, of: connection)
        {
          connections?.end(excess, .hasTooManySubscriptions)
        }
      }
    } catch {
      // A message that is not a subscription was dropped whole. The socket still works.
    }
    if !hasMore { connections?.hasReadAll() }
    if hasChanged {
      // libzmq reports the end of a connection as the ends of its subscriptions, without saying
      // which connection it was.
      _ = subscriptions.removeConnections { !$0.isOpen }
      onSubscriptionsChanged?()
    }
    let restEnd = rest.readSubscriptions(at: .now)
    guard let end = hasMore ? .now + Self.readingPause : restEnd else { return }
    socket.pauseReading()
    restTimer?.cancel()
    restTimer = loop.schedule(at: end) { [weak self] in self?.socket.resumeReading() }
  }

  /// libzmq reports the end of a connection shortly before it closes the descriptor, so some
  /// connections that have ended are found only here.
  private func removeEndedConnections() {
    if subscriptions.removeConnections(where: { !$0.isOpen }) { onSubscriptionsChanged?() }
  }
}
