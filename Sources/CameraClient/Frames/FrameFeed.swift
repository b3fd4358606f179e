import CameraProtocol
import EventLoop
import ZeroMQ

/// One reader's frames, from the socket to the reader. On the loop's thread.
actor FrameFeed {
  typealias Element = Result<CameraFrame, CameraBusError>

  /// The longest frame that is received: 8K raw fits, nonsense does not.
  private static let maximumMessageSize = 256 << 20

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }
  /// What the reader did not get; read from any thread.
  nonisolated let losses = FrameLosses()

  private let continuation: AsyncStream<Element>.Continuation
  private let topic: Topic
  private let interest: Subscriber.Interest
  private let connection: ControlConnection
  private let timeout: Duration
  private var subscriber: Subscriber?

  init(
    _ stream: FrameStream,
    of camera: Camera,
    _ continuation: AsyncStream<Element>.Continuation
  ) {
    self.continuation = continuation
    connection = camera.bus.connection
    timeout = camera.bus.configuration.requestTimeout
    loop = connection.loop
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
      self?.assumeIsolated { $0.take(event) }
    }
    self.subscriber = subscriber
    subscriber.assumeIsolated { $0.open() }
  }

  func close() {
    subscriber?.assumeIsolated { $0.close() }
    subscriber = nil
  }

  private func take(_ event: Subscriber.Event) {
    switch event {
    case .connected, .silent: break
    case .publication(let publication, let received): take(publication, at: received)
    case .failed(let error):
      continuation.yield(.failure(error))
      continuation.finish()
    }
  }

  private func take(_ publication: Publication<Message>, at received: MonotonicTime) {
    switch publication.topic {
    case topic:
      let frame = CameraFrame(publication, received: received)
      losses.received(
        publication.header.sequence,
        of: publication.epoch,
        frame: frame.sequence
      )
      if case .dropped = continuation.yield(.success(frame)) { losses.dropped() }
    case .heartbeat:
      guard let last = publication.payload.heartbeatTopics?[topic.name] else { return }
      losses.heartbeat(last, of: publication.epoch)
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
