/// What happens on a node, beginning with how it is, for one reader. It keeps its ``CameraBus`` alive and connects again
/// by itself.
///
/// Policy: up to 1024 events wait for the reader. What comes when there is no room is dropped and reported as
/// ``NodeEvent/gap(missed:)`` as soon as there is, and a new snapshot follows; nothing is lost in silence.
///
/// It fails with `noSuchCamera`, `unreachable` or `timedOut` when it cannot begin, and with `closed` when the
/// ``CameraBus`` closes; later silences of the node are elements, not failures.
public struct EventSequence: AsyncSequence, Sendable {
  /// What the reader is told.
  public typealias Element = NodeEvent
  /// Why it could not begin or go on.
  public typealias Failure = CameraBusError

  private static let limit = 1024

  private let stream: AsyncStream<EventFeed.Outcome>
  private let bus: CameraBus

  init(ofCamera camera: String?, bus: CameraBus) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: EventFeed.Outcome.self,
      bufferingPolicy: .bufferingOldest(Self.limit)
    )
    self.stream = stream
    self.bus = bus
    let connection = bus.connection
    let feed = EventFeed(
      ofCamera: camera,
      connection,
      timeout: bus.configuration.requestTimeout
    ) { outcome in
      Self.pass(outcome, to: continuation)
    }
    continuation.onTermination = { _ in
      connection.perform { _ in feed.assumeIsolated { $0.close() } }
    }
    if !connection.perform({ _ in feed.assumeIsolated { $0.open() } }) {
      _ = Self.pass(.failed(.closed), to: continuation)
    }
  }

  private static func pass(
    _ outcome: EventFeed.Outcome,
    to continuation: AsyncStream<EventFeed.Outcome>.Continuation
  ) -> Bool {
    let result = continuation.yield(outcome)
    if case .failed = outcome { continuation.finish() }
    if case .dropped = result { return false }
    return true
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream: stream.makeAsyncIterator(), bus: bus)
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    var stream: AsyncStream<EventFeed.Outcome>.Iterator
    let bus: CameraBus

    /// What the reader is told next; nil when its task was cancelled.
    public mutating func next() async throws(CameraBusError) -> NodeEvent? {
      try await next(isolation: #isolation)
    }

    /// What the reader is told next; nil when its task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> NodeEvent? {
      switch await stream.next(isolation: actor) {
      case .event(let event)?: return event
      case .failed(let error)?: throw error
      case nil: return nil
      }
    }
  }
}
