import CameraProtocol
import EventLoop
import SwiftProtobuf
import ZeroMQ

/// One reader's events: a subscription, the snapshots it needs, and the bookkeeping between them. On the loop's thread.
actor EventFeed {
  enum Outcome: Sendable {
    case event(NodeEvent)
    /// The last.
    case failed(CameraBusError)
  }

  /// Takes an outcome; false when it has no room for it.
  typealias Receiver = @Sendable (Outcome) -> Bool

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  private let camera: String?
  private let connection: ControlConnection
  private let timeout: Duration
  private let receive: Receiver
  private var tracker: EventTracker<CameraEvent?, NodeStatus>
  private var subscriber: Subscriber?
  private var question = RequestID.random()
  private var timer: LoopTimer?
  /// Events that the reader had no room for since it was last told.
  private var missed = 0

  init(
    ofCamera camera: String?,
    _ connection: ControlConnection,
    timeout: Duration,
    _ receive: @escaping Receiver
  ) {
    self.camera = camera
    self.connection = connection
    self.timeout = timeout
    self.receive = receive
    loop = connection.loop
    tracker = EventTracker(prefix: Topic.eventPrefix(camera: camera))
  }

  func open() {
    let interest = Subscriber.Interest(
      publications: .events,
      prefixes: [Topic.eventPrefix(camera: camera), Topic.heartbeat.name],
      camera: camera,
      queueLength: 10_000,
      maximumMessageSize: ControlConnection.maximumMessageSize
    )
    let subscriber = Subscriber(interest, connection, timeout: timeout) { [weak self] event in
      self?.assumeIsolated { $0.take(event) }
    }
    self.subscriber = subscriber
    subscriber.assumeIsolated { $0.open() }
  }

  func close() {
    timer?.cancel()
    subscriber?.assumeIsolated { $0.close() }
    subscriber = nil
    connection.assumeIsolated { [question] in $0.abandon(question, isEnded: false) }
  }

  // MARK: What comes

  private func take(_ event: Subscriber.Event) {
    switch event {
    case .connected: act(tracker.connected(at: .now))
    case .publication(let publication, let received): take(publication, at: received)
    case .failed(let error): fail(error)
    }
  }

  private func take(_ publication: Publication<ZeroMQ.Message>, at received: MonotonicTime) {
    tellGap()
    switch publication.topic {
    case .heartbeat:
      guard let topics = publication.payload.heartbeatTopics else { return }
      act(tracker.heartbeat(topics, of: publication.epoch, at: received))
    case .event:
      act(
        tracker.published(
          // An event that this client does not know counts all the same.
          publication.payload.event(publication.header),
          on: publication.topic.name,
          publication.header.sequence,
          of: publication.epoch,
          at: received
        )
      )
    case .frame: break
    }
  }

  private func takeSnapshot(_ outcome: ControlConnection.Outcome) {
    guard subscriber != nil else { return }
    switch outcome {
    case .finished(.status(let status), let epoch):
      let topics = status.topics.map { ($0.topic, $0.lastSequence) }
      act(
        tracker.snapshot(
          NodeStatus(status, epoch: epoch),
          including: Dictionary(topics, uniquingKeysWith: max),
          of: epoch
        )
      )
    case .failed(let error): act(tracker.snapshotFailed(error))
    case .progress, .finished: act(tracker.snapshotFailed(.unexpectedReply))
    }
  }

  // MARK: What follows from it

  private func act(_ outputs: [EventTracker<CameraEvent?, NodeStatus>.Output]) {
    for output in outputs {
      switch output {
      case .requestSnapshot: requestSnapshot()
      case .snapshot(let status): tell(.snapshot(status))
      case .event(let event): if let event { tell(.event(event)) }
      case .gap(let missed): tell(.gap(missed: Int(clamping: missed)))
      case .nodeRestarted: tell(.nodeRestarted)
      case .disconnected: tell(.disconnected)
      case .reconnected: tell(.reconnected)
      case .failed(let error): fail(error)
      }
    }
    setTimer()
  }

  private func requestSnapshot() {
    question = .random()
    let body = WireRequest.OneOf_Body.status(.with { $0.camera = camera ?? "" })
    connection.assumeIsolated { [question, timeout] connection in
      connection.submit(question, body, .init(timeout: timeout, resending: .reading)) { outcome in
        self.assumeIsolated { $0.takeSnapshot(outcome) }
      }
    }
  }

  private func setTimer() {
    timer?.cancel()
    timer = tracker.deadline.map { deadline in
      loop.schedule(at: deadline) { [weak self] in
        self?.assumeIsolated { $0.act($0.tracker.expire(at: .now)) }
      }
    }
  }

  private func tell(_ event: NodeEvent) {
    if missed > 0 || !receive(.event(event)) { missed += 1 }
  }

  /// Tells the reader, as soon as it has room, that it lost something.
  private func tellGap() {
    guard missed > 0, receive(.event(.gap(missed: missed))) else { return }
    missed = 0
    act(tracker.readerLostEvents())
  }

  private func fail(_ error: CameraBusError) {
    guard subscriber != nil else { return }
    close()
    _ = receive(.failed(error))
  }
}
