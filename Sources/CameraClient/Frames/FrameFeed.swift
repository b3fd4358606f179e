import CameraProtocol
import EventLoop
import ZeroMQ

// @unchecked: on the loop's thread, which the subscriber checks.
/// One reader's frames, from the socket to the reader. On the loop's thread.
final class FrameFeed: @unchecked Sendable {
  /// The longest frame that is received: 8K raw fits, nonsense does not.
  private static let maximumMessageSize = 256 << 20

  /// What the reader did not get; read from any thread.
  let losses = FrameLosses()

  private let mailbox: FrameMailbox
  private let topic: Topic
  private let interest: Subscriber.Interest
  private let connection: ControlConnection
  private let timeout: Duration
  private var subscriber: Subscriber?

  init(
    _ stream: FrameStream,
    of camera: Camera,
    _ mailbox: FrameMailbox
  ) {
    self.mailbox = mailbox
    connection = camera.bus.connection
    timeout = camera.bus.configuration.requestTimeout
    topic = .frame(camera: camera.name, stream: stream.name)
    interest = Subscriber.Interest(
      publications: .frames,
      prefixes: [topic.name, Topic.heartbeat.name],
      camera: camera.name,
      // The newest wins: what waits here is late already.
      queueLength: 3,
      maximumMessageSize: Self.maximumMessageSize
    )
  }

  func open() {
    let subscriber = Subscriber(interest, connection, timeout: timeout) { [weak self] event in
      self?.take(event)
    }
    self.subscriber = subscriber
    subscriber.open()
  }

  func close() {
    subscriber?.close()
    subscriber = nil
  }

  private func take(_ event: Subscriber.Event) {
    switch event {
    case .connected, .silent: break
    case .publication(let publication, let payload, let received):
      take(publication, payload, at: received)
    case .failed(let error):
      mailbox.end(error)
    }
  }

  private func take(_ publication: Publication, _ payload: Message, at received: MonotonicTime) {
    let header = publication.header
    switch publication.topic {
    case topic:
      guard let frame = CameraFrame(header, payload, received: received) else { return }
      losses.received(header.sequence, of: header.epoch, frame: frame.sequence)
      if mailbox.put(frame) { losses.dropped() }
    case .heartbeat:
      guard let last = payload.heartbeatTopics?[topic.name] else { return }
      losses.heartbeat(last, of: header.epoch)
    case .event, .frame: break
    }
  }
}

/// A ``LossTracker`` that the loop writes and the reader reads.
final class FrameLosses: Sendable {
  private let tracker = Mutex(LossTracker())

  var counters: LossCounters { tracker.withLock { $0.counters } }

  func received(_ sequence: UInt64, of epoch: Epoch, frame: UInt64) {
    tracker.withLock { $0.received(sequence, of: epoch, frame: frame) }
  }

  func heartbeat(_ sequence: UInt64, of epoch: Epoch) {
    tracker.withLock { $0.heartbeat(sequence, of: epoch) }
  }

  func dropped() {
    tracker.withLock { $0.dropped() }
  }
}
