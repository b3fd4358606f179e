import CameraProtocol
import EventLoop
import SwiftProtobuf
import ZeroMQ

/// The events of one reader: a subscription, the snapshots and replays that it needs, and the
/// bookkeeping between them. It runs on the loop's thread.
actor EventFeed: LoopActor {
  typealias Tracker = EventTracker<CameraEvent?, NodeStatus>

  enum Outcome: Sendable {
    case event(NodeEvent)
    /// Nothing follows.
    case failed(CameraBusError)
  }

  /// Takes an outcome and returns whether there is room for another. Without room, the feed waits
  /// for `resume`.
  typealias Receiver = @Sendable (Outcome) -> Bool

  nonisolated let loop: EventLoop

  private let scope: EventScope
  private let connection: ControlConnection
  private let timeout: Duration
  private let receive: Receiver
  private var tracker: Tracker
  /// Where to go on, until the first snapshot.
  private var position: EventPosition?
  private var subscriber: Subscriber?
  private var snapshotQuestion = RequestID.random()
  private var replayQuestion = RequestID.random()
  private var hasRoom = true

  /// - Parameters:
  ///   - hasHistory: Whether to begin with the events from before, as far as the node keeps them.
  ///   - position: Where to go on; nil begins with the present.
  init(
    _ scope: EventScope,
    hasHistory: Bool = false,
    after position: EventPosition? = nil,
    _ connection: ControlConnection,
    timeout: Duration,
    _ receive: @escaping Receiver
  ) {
    self.scope = scope
    self.connection = connection
    self.timeout = timeout
    self.receive = receive
    loop = connection.loop
    tracker = EventTracker(scope, hasHistory: hasHistory, after: position)
    self.position = position
  }

  func open() {
    let interest = Subscriber.Interest(
      publications: .events,
      prefixes: [scope.prefix, Topic.heartbeat.name],
      camera: scope.camera,
      queueLength: 10_000,
      maximumMessageSize: Framing.maximumMessageSize
    )
    let subscriber = Subscriber(
      interest, connection, timeout: timeout,
      read: { [weak self] parts, _ in self?.read(parts) },
      onEvent: handler { $0.take($1) }
    )
    self.subscriber = subscriber
    subscriber.open()
  }

  func close() {
    subscriber?.close()
    subscriber = nil
    connection.assumeIsolated { [snapshotQuestion, replayQuestion] connection in
      for question in [snapshotQuestion, replayQuestion] {
        connection.abandon(question, isEnded: false)
      }
    }
  }

  /// The reader has room again.
  func resume() {
    hasRoom = true
    act()
  }

  // MARK: Publications and replies

  private func take(_ event: Subscriber.Event) {
    switch event {
    case .connected: tracker.connected()
    case .drained: break
    case .silent(let reason): tracker.fallSilent(reason.map(Problem.init))
    case .failed(let error): return fail(error)
    }
    act()
  }

  /// Ignores everything but publications that this client knows, because a newer node may publish
  /// more.
  private nonisolated func read(_ parts: borrowing Parts) {
    guard let publication = try? Publication(topic: parts[0], header: parts[1]) else { return }
    let epoch = publication.header.epoch
    switch publication.topic {
    case .heartbeat:
      guard let topics = heartbeatTopics(parts[2]) else { return }
      assumeIsolated { $0.tracker.heartbeat(topics, of: epoch) }
    case .event:
      let arrival = Tracker.Arrival(publication, parts[2].copy)
      assumeIsolated { $0.tracker.published(arrival, of: epoch) }
    case .frame: break
    }
  }

  /// The last number of every topic in a heartbeat that this client knows.
  private nonisolated func heartbeatTopics(_ payload: RawSpan) -> [String: UInt64]? {
    var topics: [String: UInt64] = [:]
    do throws(FramingError) {
      try HeartbeatReader.read(payload) { name, sequence in
        guard let name = Topic(parsing: name.copy)?.name else { return }
        topics[name] = max(topics[name] ?? 0, sequence)
      }
    } catch {
      return nil
    }
    return topics
  }

  private func takeSnapshot(_ outcome: ControlConnection.Outcome) {
    // Read what was published before the answer first. That includes the last events of a node that
    // is gone.
    subscriber?.drain()
    guard subscriber != nil else { return }
    switch outcome {
    case .finished(.status(let status), let epoch):
      let node = NodeStatus(status, epoch: epoch)
      if let error = position?.mistake(at: node, scope) { return fail(error) }
      position = nil
      tracker.snapshot(node, including: status.eventNumbers, of: epoch)
    case .failed(let error): snapshotFailed(error)
    case .progress, .finished: snapshotFailed(.unexpectedReply)
    }
    act()
  }

  private func snapshotFailed(_ error: CameraBusError) {
    if !tracker.snapshotFailed(error) { fail(error) }
  }

  private func takeReplay(_ outcome: ControlConnection.Outcome, of question: RequestID) {
    // After a restart of the node the old question does not count any more.
    guard subscriber != nil, question == replayQuestion else { return }
    switch outcome {
    case .finished(.replay(let replay), let epoch):
      tracker.replayed(
        replay.events.compactMap { Tracker.Arrival($0, of: epoch) },
        hasMore: replay.more,
        of: epoch
      )
    case .failed(let error): tracker.replayFailed(error)
    case .progress, .finished: tracker.replayFailed(.unexpectedReply)
    }
    act()
  }

  // MARK: Events and requests

  private func act() {
    while hasRoom, subscriber != nil, let output = tracker.next() { deliver(output) }
    while hasRoom, subscriber != nil, let request = tracker.nextRequest() {
      switch request {
      case .snapshot: requestSnapshot()
      case .replay(let ranges): requestReplay(of: ranges)
      }
    }
  }

  private func deliver(_ output: Tracker.Output) {
    let event: NodeEvent
    switch output {
    case .snapshot(let status): event = .snapshot(status)
    case .event(let known?): event = .event(known)
    // This client cannot read it, but its number counts.
    case .event(nil): return
    case .gap(let missed, let topic):
      guard case .event(let camera, let kind)? = Topic(parsing: topic.utf8) else { return }
      event = .gap(missed: Int(clamping: missed), camera: camera, kind: .init(kind))
    case .nodeRestarted: event = .nodeRestarted
    case .disconnected(let reason): event = .disconnected(reason)
    case .reconnected: event = .reconnected
    }
    hasRoom = receive(.event(event))
  }

  private func requestSnapshot() {
    snapshotQuestion = .random()
    ask(snapshotQuestion, .status(.with { $0.camera = scope.camera ?? "" })) { feed, outcome in
      feed.takeSnapshot(outcome)
    }
  }

  private func requestReplay(of ranges: [EventRange]) {
    let question = RequestID.random()
    connection.assumeIsolated { [replayQuestion] in $0.abandon(replayQuestion, isEnded: false) }
    replayQuestion = question
    ask(question, .replay(WireReplayRequest(ranges))) { feed, outcome in
      feed.takeReplay(outcome, of: question)
    }
  }

  private func ask(
    _ question: RequestID,
    _ body: WireRequest.OneOf_Body,
    _ take: @escaping @Sendable (isolated EventFeed, ControlConnection.Outcome) -> Void
  ) {
    connection.assumeIsolated { [timeout] connection in
      connection.submit(question, body, .init(timeout: timeout, resending: .reading)) { outcome in
        self.assumeIsolated { take($0, outcome) }
      }
    }
  }

  private func fail(_ error: CameraBusError) {
    guard subscriber != nil else { return }
    close()
    _ = receive(.failed(error))
  }
}
