import CameraProtocol
import EventLoop

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
    interest = Subscriber.Interest(
      publications: .frames,
      prefixes: [Topic.frame(camera: camera.name, stream: stream.name).name],
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
    case .connected: break
    case .publication(let publication):
      guard let frame = CameraFrame(publication) else { return }
      losses.received(
        publication.header.sequence,
        of: publication.epoch,
        frame: frame.sequence
      )
      if case .dropped = continuation.yield(.success(frame)) { losses.dropped() }
    case .failed(let error):
      continuation.yield(.failure(error))
      continuation.finish()
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

  func dropped() {
    tracker.withLock { $0.dropped() }
  }
}
