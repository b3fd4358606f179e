import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import Imaging
import ZeroMQ

/// An XPUB socket with what every publication of the node has: epoch, a number per topic, and heartbeats that
/// repeat the last number of every topic.
// @unchecked: confined to its loop, which the socket checks.
final class Publisher: @unchecked Sendable {
  /// One topic with its own numbering.
  final class Topic {
    let name: String
    fileprivate let bytes: [UInt8]
    fileprivate(set) var sequence: UInt64 = 0
    /// How often a publication met a subscriber's queue that had just become full.
    fileprivate(set) var overflows: UInt64 = 0
    /// The frames that libzmq holds. Each is memory that the camera's pool is short of: what goes beyond is sent as a
    /// copy, so that however many subscribers stand still, the camera goes on.
    fileprivate let lending = Lending(limit: Topic.lendingLimit)
    /// Twice what the queue of one subscriber takes, with the frame that is on its way.
    static let lendingLimit = 8
    /// The format of the last frame, and its name.
    private var format: (code: PixelFormat, name: PixelFormatName)?

    fileprivate init(_ name: String) {
      self.name = name
      bytes = Array(name.utf8)
    }

    fileprivate func header(of frame: Frame) -> PublicationHeader.Frame {
      let code = frame.layout.pixelFormat
      if let format, format.code.rawValue == code.rawValue {
        return PublicationHeader.Frame(frame, format: format.name)
      }
      let name = PixelFormatName(code.name) ?? PixelFormatName()
      format = (code, name)
      return PublicationHeader.Frame(frame, format: name)
    }
  }

  static let heartbeatInterval = Duration.seconds(1)
  /// The most bytes of a subscription; who sends more is disconnected.
  static let maximumSubscriptionSize = 1024

  private(set) var subscriptions = SubscriptionTable()
  /// The events published last; frames are not kept.
  private(set) var log = EventLog()
  /// Called when somebody subscribed or left.
  var onSubscriptionsChanged: (() -> Void)?

  private let socket: Socket<XPub>
  private let loop: EventLoop
  private let epoch: Epoch
  private var header = HeaderWriter()
  private var pulse = HeartbeatWriter()
  private var topics: [Topic] = []
  private let heartbeat = Topic(CameraProtocol.Topic.heartbeat.name)
  private var timer: LoopTimer?
  private var pace = Pace()
  private var rest: ClosedRange<Duration>?
  /// From when on a frame has subscriptions read, which rest.
  private var restEnds = MonotonicTime.distantFuture

  /// - Parameter queueLength: publications that wait for one slow subscriber before libzmq drops for it.
  init(
    _ context: Context,
    on loop: EventLoop,
    epoch: Epoch,
    queueLength: Int
  ) throws(ZeroMQError) {
    self.loop = loop
    self.epoch = epoch
    socket = try Socket<XPub>(context, on: loop)
    socket.sendHighWaterMark = queueLength
    socket.maximumMessageSize = Self.maximumSubscriptionSize
    socket.setWaitsForSlow(true)
    socket.report(.all)
  }

  func bind(_ endpoint: String) throws(ZeroMQError) -> String {
    try socket.bind(endpoint)
  }

  /// Starts listening to subscribers, and the heartbeat.
  /// - Parameter rest: how long subscriptions wait after others were read: at least the lower bound, then until the
  ///   next frame, which finds the thread awake, but no longer than the upper one. They do not wait while it
  ///   publishes more than a hundred times within the lower bound: then subscribers' queues fill and empty so fast that
  ///   libzmq, which looks at them once a millisecond when nobody asks it to, would drop what there is room for.
  func start(rest: ClosedRange<Duration>? = nil) {
    self.rest = rest
    socket.onReadable { [weak self] in self?.drainSubscriptions() }
    beat()
  }

  func close() {
    timer?.cancel()
    socket.close()
  }

  func topic(_ name: String) -> Topic {
    if let topic = topics.first(where: { $0.name == name }) { return topic }
    let topic = Topic(name)
    topics.append(topic)
    return topic
  }

  /// The last number of every topic.
  var lastSequences: [(topic: String, sequence: UInt64)] {
    topics.map { ($0.name, $0.sequence) }
  }

  /// How often a publication met a subscriber's queue that had just become full.
  var overflows: UInt64 { topics.reduce(0) { $0 + $1.overflows } }

  /// Publishes an event, and keeps it for those who lose it.
  func publish(_ event: [UInt8], on topic: Topic) {
    send(event, on: topic)
    log.append(topic.name, topic.sequence, header: header.bytes.copy, payload: event)
  }

  /// Publishes a frame's bytes, without a copy as long as the topic's subscribers are not slow, then has subscriptions read
  /// whose rest has lasted long enough.
  func publish(_ frame: Frame, on topic: Topic) {
    send(on: topic, frame: frame) { () throws(ZeroMQError) in
      if topic.lending.hasRoom { return try socket.send(sharing: frame, lending: topic.lending) }
      return try frame.withBytes { bytes throws(ZeroMQError) in try socket.send(bytes) }
    }
    guard restEnds <= .now else { return }
    restEnds = .distantFuture
    // Not here, in the middle of the frame's way: a subscription changes who is on it.
    loop.perform { [weak self] in self?.drainSubscriptions() }
  }

  private func send(_ payload: [UInt8], on topic: Topic) {
    send(on: topic, frame: nil) { () throws(ZeroMQError) in try socket.send(payload) }
  }

  private func send(
    on topic: Topic,
    frame: Frame?,
    payload: () throws(ZeroMQError) -> Bool
  ) {
    topic.sequence += 1
    let now = MonotonicTime.now
    pace.add(now)
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

  /// Sends the first part, with which libzmq decides who gets the message: what a slow subscriber has no room for is
  /// dropped for it alone, and counted.
  private func begin(_ topic: Topic) throws(ZeroMQError) {
    guard try !socket.send(topic.bytes, more: true) else { return }
    // There may be room, of which libzmq has not told the socket yet.
    try socket.update()
    guard try !socket.send(topic.bytes, more: true) else { return }
    topic.overflows += 1
    socket.setWaitsForSlow(false)
    defer { socket.setWaitsForSlow(true) }
    _ = try socket.send(topic.bytes, more: true)
  }

  private func beat() {
    pulse.begin()
    for topic in topics { pulse.add(topic: topic.bytes, lastSequence: topic.sequence) }
    send(pulse.bytes, on: heartbeat)
    timer = loop.schedule(at: .now + Self.heartbeatInterval) { [weak self] in self?.beat() }
  }

  private func drainSubscriptions() {
    var hasChanged = false
    do throws(ZeroMQError) {
      while let message = try socket.receive() {
        guard let change = message.first.flatMap(Subscription.init) else { continue }
        subscriptions.apply(change)
        hasChanged = true
      }
    } catch {
      // A message that is no subscription has been dropped whole; the socket goes on.
    }
    if hasChanged { onSubscriptionsChanged?() }
    guard let rest, pace.interval >= rest.lowerBound / 100 else { return }
    restEnds = .now + rest.lowerBound
    socket.rest(for: rest.upperBound)
  }
}
