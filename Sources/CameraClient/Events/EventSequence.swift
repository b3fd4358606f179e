import EventLoop

/// The events of a node for one reader, beginning with the node's present status. It keeps its
/// ``CameraBus`` alive and connects again by itself.
///
/// Every event comes once. The events of one camera and kind come in the order of their numbers,
/// without a gap. An event that was lost on the way is asked for again; where the node does not
/// keep it any more, a ``NodeEvent/gap(missed:camera:kind:)`` takes its place. <doc:Policies> says
/// more.
///
/// Policy: up to 1024 events wait for the reader. Events that find no room are fetched from the
/// node later.
///
/// It fails with `noSuchCamera`, `unreachable` or `timedOut` when it cannot begin, and with
/// `closed` when the ``CameraBus`` closes; later silences of the node are elements, not failures. A
/// second reader gets `conflict` while there is a first one.
public struct EventSequence: AsyncSequence, Sendable {
  /// An event, a snapshot or a gap.
  public typealias Element = NodeEvent
  /// Why it could not begin or go on.
  public typealias Failure = CameraBusError

  private static let limit = 1024

  private let stream: AsyncStream<EventFeed.Outcome>
  private let mailbox: EventMailbox
  private let feed: EventFeed
  private let bus: CameraBus
  private let place = ReaderPlace()

  init(
    _ scope: EventScope, hasHistory: Bool = false, after position: EventPosition? = nil,
    bus: CameraBus
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: EventFeed.Outcome.self)
    let mailbox = EventMailbox(limit: Self.limit, continuation)
    let feed = EventFeed(
      scope,
      hasHistory: hasHistory,
      after: position,
      bus.connection,
      timeout: bus.configuration.requestTimeout
    ) { mailbox.put($0) }
    self.stream = stream
    self.mailbox = mailbox
    self.feed = feed
    self.bus = bus
    continuation.onTermination = { _ in feed.enter { $0.close() } }
    if !feed.enter({ $0.open() }) {
      _ = mailbox.put(.failed(.closed))
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      stream: stream.makeAsyncIterator(), mailbox: mailbox, feed: feed, bus: bus,
      place: place.makeReader())
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    var stream: AsyncStream<EventFeed.Outcome>.Iterator
    let mailbox: EventMailbox
    let feed: EventFeed
    let bus: CameraBus
    let place: ReaderPlace.Reader

    /// The next event, snapshot or gap; nil when the reader's task was cancelled.
    public mutating func next() async throws(CameraBusError) -> NodeEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event, snapshot or gap; nil when the reader's task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> NodeEvent? {
      try place.takePlace()
      guard let outcome = await stream.next(isolation: actor) else { return nil }
      if mailbox.took() { feed.enter { $0.resume() } }
      switch outcome {
      case .event(let event): return event
      case .failed(let error): throw error
      }
    }
  }
}
