import DequeModule

/// The events of one kind, for one reader. It keeps its ``CameraBus`` alive and connects again by
/// itself.
///
/// Policy: that of ``EventSequence``, on which it is built. It does not say what an
/// ``EventSequence`` says about gaps, restarts and silences; read that one where they matter.
public struct SelectedEvents<Value: Sendable>: AsyncSequence, Sendable {
  /// What the events carry.
  public typealias Element = Value
  /// Why it could not begin or go on.
  public typealias Failure = CameraBusError

  let events: EventSequence
  let selection: EventSelection<Value>

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: events.makeAsyncIterator(), selection: selection)
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    var events: EventSequence.Iterator
    let selection: EventSelection<Value>
    /// The values of the last event that were not read yet.
    private var values: Deque<Value> = []

    init(events: EventSequence.Iterator, selection: EventSelection<Value>) {
      self.events = events
      self.selection = selection
    }

    /// The next value; nil when the reader's task was cancelled.
    public mutating func next() async throws(CameraBusError) -> Value? {
      try await next(isolation: #isolation)
    }

    /// The next value; nil when the reader's task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> Value? {
      while values.isEmpty {
        guard let event = try await events.next(isolation: actor) else { return nil }
        values.append(contentsOf: selection.values(event))
      }
      return values.popFirst()
    }
  }
}

extension CameraBus {
  /// What happens to the node's cameras from now on, of one kind: see ``EventSelection``.
  ///
  /// - Parameters:
  ///   - selection: The kind.
  ///   - includingHistory: Whether to begin with the events from before, as far as the node keeps
  ///     them.
  public func events<Value>(
    of selection: EventSelection<Value>,
    includingHistory: Bool = false
  ) -> SelectedEvents<Value> {
    let scope = EventScope(kind: selection.kind)
    return SelectedEvents(
      events: EventSequence(scope, hasHistory: includingHistory, bus: self), selection: selection)
  }
}

extension Camera {
  /// What happens to the camera from now on, of one kind: see ``EventSelection``.
  ///
  /// - Parameters:
  ///   - selection: The kind.
  ///   - includingHistory: Whether to begin with the events from before, as far as the node keeps
  ///     them.
  public func events<Value>(
    of selection: EventSelection<Value>,
    includingHistory: Bool = false
  ) -> SelectedEvents<Value> {
    let scope = EventScope(camera: name, kind: selection.kind)
    return SelectedEvents(
      events: EventSequence(scope, hasHistory: includingHistory, bus: bus), selection: selection)
  }
}
