import CameraProtocol
import EventLoop
import OperatingSystem
import SwiftProtobuf
import ZeroMQ

// @unchecked: used on the loop's thread only, which the subscriber checks.
/// Brings the frames of one stream from the socket to one reader's mailbox. It runs on the loop's
/// thread.
final class FrameFeed: @unchecked Sendable {
  /// The longest frame that is received, in bytes. A raw 8K frame fits.
  private static let maximumMessageSize = 256 << 20

  /// The frames that the reader did not get; for any thread.
  let losses = FrameLosses()

  private let mailbox: FrameMailbox
  private let topic: [UInt8]
  private let heartbeat = Array(Topic.heartbeat.name.utf8)
  private let camera: String
  private let stream: String
  private let interest: Subscriber.Interest
  private let connection: ControlConnection
  private let timeout: Duration
  private var subscriber: Subscriber?
  /// Whether a frame came since the last heartbeat.
  private var isFlowing = false
  /// The number of the last picture of a video that the reader can decode; nil before the first key
  /// picture, and when some were lost.
  private var lastPicture: (epoch: Epoch, sequence: UInt64)?
  /// When a key picture was asked for.
  private var asked = MonotonicTime(nanoseconds: 0)
  /// How often a key picture is asked for at most.
  private static let askingPause = Duration.milliseconds(250)
  private let isVideo: Bool
  /// The request that asks why no frames come, while it is under way.
  private var question: RequestID?

  init(
    _ stream: FrameStream,
    of camera: Camera,
    _ mailbox: FrameMailbox
  ) {
    self.mailbox = mailbox
    self.camera = camera.name
    self.stream = stream.name.description
    isVideo = stream == .h264
    connection = camera.bus.connection
    timeout = camera.bus.configuration.requestTimeout
    let topic = Topic.frame(camera: camera.name, stream: stream.name).name
    self.topic = Array(topic.utf8)
    interest = Subscriber.Interest(
      publications: .frames,
      prefixes: [topic, Topic.heartbeat.name],
      camera: camera.name,
      // Short, because frames that wait here are late already.
      queueLength: 3,
      maximumMessageSize: Self.maximumMessageSize
    )
  }

  func open() {
    let subscriber = Subscriber(
      interest, connection, timeout: timeout,
      read: { [weak self] parts, received in self?.read(&parts, at: received) },
      onEvent: { [weak self] event in self?.take(event) }
    )
    self.subscriber = subscriber
    subscriber.open()
  }

  func close() {
    subscriber?.close()
    subscriber = nil
    guard let question else { return }
    connection.assumeIsolated { $0.abandon(question, isEnded: false) }
    self.question = nil
  }

  private func take(_ event: Subscriber.Event) {
    switch event {
    case .connected, .drained, .silent: break
    case .failed(let error): mailbox.end(error)
    }
  }

  /// Takes frames of the stream and heartbeats, and ignores everything else.
  private func read(_ parts: inout Parts, at received: MonotonicTime) {
    let isFrame = parts[0].isEqual(to: topic)
    guard isFrame || parts[0].isEqual(to: heartbeat),
      let header = try? PublicationHeader(reading: parts[1])
    else { return }
    if isFrame {
      guard let frame = header.frame else { return }
      isFlowing = true
      losses.received(header.sequence, of: header.epoch, frame: frame.sequence)
      let sent = header.sent.monotonic
      guard !isVideo || isDecodable(frame, header, at: received) else { return losses.dropped(1) }
      let (dropped, isLost) = mailbox.put(
        CameraFrame(frame, parts.take(2), sent: sent, received: received))
      losses.dropped(dropped)
      if isLost { lastPicture = nil }
    } else {
      if !isFlowing { askForRefusal() }
      isFlowing = false
      try? HeartbeatReader.read(parts[2]) { name, sequence in
        if name.isEqual(to: topic) { losses.heartbeat(sequence, of: header.epoch) }
      }
    }
  }
}

extension FrameFeed {
  /// Asks whether the node refuses the stream. Other reasons for silence pass by themselves, or
  /// when a client switches the stream on again, and the reader waits.
  private func askForRefusal() {
    guard question == nil, subscriber != nil else { return }
    let id = RequestID.random()
    question = id
    let body = WireRequest.OneOf_Body.status(.with { $0.camera = camera })
    connection.assumeIsolated { connection in
      connection.submit(id, body, .init(timeout: timeout, resending: .reading)) {
        [weak self] outcome in
        guard let self else { return }
        question = nil
        if case .finished(.status(let status), _) = outcome { take(status) }
      }
    }
  }

  /// Whether the pictures that this one of a video needs were received. If not, a key picture is
  /// asked for.
  private func isDecodable(
    _ frame: PublicationHeader.Frame, _ header: PublicationHeader, at now: MonotonicTime
  ) -> Bool {
    let follows = lastPicture.map { $0.epoch == header.epoch && $0.sequence + 1 == header.sequence }
    guard frame.isKeyPicture || follows == true else {
      lastPicture = nil
      if now - asked >= Self.askingPause {
        asked = now
        // A repeated subscription brings a key picture.
        subscriber?.repeatSubscription()
      }
      return false
    }
    lastPicture = (header.epoch, header.sequence)
    return true
  }

  private func take(_ status: WireStatusReply) {
    let streams = status.cameras.first { $0.name == camera }?.streams
    guard let refused = streams?.first(where: { $0.name == stream && $0.hasError }), !isFlowing,
      refused.error.code != .conflict
    else { return }
    close()
    mailbox.end(CameraBusError(refused.error))
  }
}

/// A ``LossTracker`` that the loop's thread writes and the reader reads.
final class FrameLosses: Sendable {
  private let tracker = Mutex(LossTracker())

  var counters: LossCounters { tracker.withLock { $0.counters } }

  func received(_ sequence: UInt64, of epoch: Epoch, frame: UInt64) {
    tracker.withLock { $0.received(sequence, of: epoch, frame: frame) }
  }

  func heartbeat(_ sequence: UInt64, of epoch: Epoch) {
    tracker.withLock { $0.heartbeat(sequence, of: epoch) }
  }

  func dropped(_ count: Int) {
    guard count > 0 else { return }
    tracker.withLock { tracker in for _ in 0..<count { tracker.dropped() } }
  }
}
