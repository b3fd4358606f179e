import Capture
import EventLoop
import OperatingSystem
import ZeroMQ

/// A socket of a publisher. It reads its subscribers' subscriptions and sends them what they may
/// have.
///
/// There is one for the subscribers that may have everything, and one for each set of cameras that
/// keys are limited to. libzmq knows only prefixes of topics, so what a subscriber must not have is
/// never sent on its socket.
// @unchecked: confined to its loop, which the socket checks.
final class PublicationSocket: @unchecked Sendable {
  /// Subscribers may send without end. Publications must not wait for them, so the reading stops
  /// for a while.
  private static let longestReading = Duration.milliseconds(2)
  private static let readingPause = Duration.milliseconds(10)
  /// The most bytes of a subscription's prefix. A subscriber that sends more is disconnected. No
  /// topic is as long.
  private static let maximumPrefix = 128
  /// What libzmq takes: the commands with which CURVE begins a connection are longer than any
  /// subscription.
  private static let maximumMessageSize = 1024

  /// The cameras whose topics are sent here; nil for all topics.
  let cameras: Set<String>?
  /// Called with each change of a subscription. Returns the connection to end because of it.
  var onChange: ((Subscription, PeerConnection) -> PeerConnection?)?
  /// Called after the changes that were read together.
  var onChanges: (() -> Void)?

  private let socket: Socket<XPub>
  private let connections: EndpointWatch?
  private let loop: EventLoop
  private var rest: SubscriptionRest
  /// Ends the rest if no frame has ended it before.
  private var restTimer: LoopTimer?

  /// - Parameters:
  ///   - queueLength: The most publications that wait for one subscriber. libzmq drops further
  ///     ones.
  ///   - rest: How long subscriptions wait after others were read: see `SubscriptionRest`.
  ///   - connections: Watches the subscribers.
  init(
    _ context: Context, on loop: EventLoop, for cameras: Set<String>? = nil, queueLength: Int,
    rest: ClosedRange<Duration>?, connections: EndpointWatch?
  ) throws(ZeroMQError) {
    self.cameras = cameras
    self.connections = connections
    self.loop = loop
    self.rest = SubscriptionRest(rest)
    socket = try Socket<XPub>(context, on: loop)
    socket.sendHighWaterMark = queueLength
    socket.maximumMessageSize = Self.maximumMessageSize
    socket.setWaitsForSlow(true)
    socket.report(.all)
    try connections?.begin(socket)
  }

  /// - Parameters:
  ///   - endpoints: Of which the first one that is free is bound.
  ///   - ipc: The endpoint on the same machine, if there is one.
  /// - Returns: The endpoint with wildcards resolved.
  func bind(
    _ endpoints: [String], ipc: String? = nil, by doors: Doors
  ) throws(ZeroMQError) -> String {
    for endpoint in endpoints.dropLast() {
      do throws(ZeroMQError) {
        return try bind(endpoint, ipc: ipc, by: doors)
      } catch {
        guard error.code == .addressInUse else { throw error }
      }
    }
    return try bind(endpoints.last ?? "", ipc: ipc, by: doors)
  }

  private func bind(
    _ endpoint: String, ipc: String?, by doors: Doors
  ) throws(ZeroMQError) -> String {
    try doors.bind(
      socket, endpoint, ipc: ipc, cameras.map { .limitedPublications($0) } ?? .publications)
  }

  /// Starts to read subscriptions.
  func start() {
    socket.onReadable { [weak self] in self?.readSubscriptions() }
  }

  func close() {
    restTimer?.cancel()
    socket.close()
  }

  /// Whether the topic's publications are sent here.
  func isFor(_ topic: PublishedTopic) -> Bool {
    guard let cameras else { return true }
    return topic.camera.map(cameras.contains) ?? false
  }

  // MARK: Sending

  /// Sends a publication.
  /// - Returns: Whether a subscriber's queue had just become full, so that it did not get it.
  func send(
    on topic: PublishedTopic, header: RawSpan, at now: MonotonicTime,
    payload: (Socket<XPub>) throws(ZeroMQError) -> Bool
  ) -> Bool {
    rest.publishes(at: now)
    do throws(ZeroMQError) {
      let isDropped = try begin(topic)
      _ = try socket.send(header, more: true)
      _ = try payload(socket)
      return isDropped
    } catch {
      preconditionFailure("a publication failed, which XPUB never does: \(error)")
    }
  }

  /// Sends the topic. With this first part libzmq decides which subscribers get the message. Those
  /// whose queue is full do not get it; the others do.
  private func begin(_ topic: PublishedTopic) throws(ZeroMQError) -> Bool {
    guard try !socket.send(topic.bytes, more: true) else { return false }
    // There may be room that the socket has not noticed yet.
    try socket.update()
    guard try !socket.send(topic.bytes, more: true) else { return false }
    socket.setWaitsForSlow(false)
    defer { socket.setWaitsForSlow(true) }
    _ = try socket.send(topic.bytes, more: true)
    return true
  }

  /// Call it after a frame was sent: a rest may end with it.
  func sentFrame(at now: MonotonicTime) {
    guard rest.sentFrame(at: now) else { return }
    // Not now: a subscription would change the list of consumers while they get this frame.
    loop.perform { [weak self] in self?.readSubscriptions() }
  }

  /// Ends the subscribers that take nothing.
  func endStalled() { connections?.endStalled() }

  // MARK: Subscriptions

  private func readSubscriptions() {
    var hasChanged = false
    var hasMore = false
    let latest = MonotonicTime.now + Self.longestReading
    do throws(ZeroMQError) {
      while !hasMore, let message = try socket.receive() {
        hasMore = .now > latest
        guard let part = message.first else { continue }
        // Asks the system, so once for each message.
        let connection = part.acceptedConnection
        connections?.read(message[...], of: connection)
        guard let change = Subscription(part) else { continue }
        hasChanged = true
        guard let connection else { continue }
        if change.isBeginning, let flaw = flaw(of: change, by: part.userID) {
          connections?.end(connection, flaw)
        } else if let excess = onChange?(change, connection) {
          connections?.end(excess, .hasTooManySubscriptions)
        }
      }
    } catch {
      // A message that is not a subscription was dropped whole. The socket still works.
    }
    if !hasMore { connections?.hasReadAll() }
    if hasChanged { onChanges?() }
    let restEnd = rest.readSubscriptions(at: .now)
    guard let end = hasMore ? .now + Self.readingPause : restEnd else { return }
    socket.pauseReading()
    restTimer?.cancel()
    restTimer = loop.schedule(at: end) { [weak self] in self?.socket.resumeReading() }
  }

  /// Why a subscription must not be; nil if it may.
  private func flaw(
    of subscription: Subscription, by user: String?
  ) -> EndedConnectionLog.Reason? {
    if subscription.prefix.count > Self.maximumPrefix { return .subscribesToNoTopic }
    return connections?.admits(subscriber: user) == false ? .mayNotUseTheNode : nil
  }
}
