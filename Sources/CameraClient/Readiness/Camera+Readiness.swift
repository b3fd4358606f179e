extension Camera {
  /// Whether the camera can take a photo now, without asking the node. It combines the node's last
  /// event with this program's own requests that are still on their way; nil until the node's first
  /// event, while it is silent, and after the ``CameraBus`` was closed.
  ///
  /// The first use subscribes to the node's events until the ``CameraBus`` is closed.
  public var readiness: Readiness? {
    bus.readiness.readiness(of: name)
  }

  /// The readiness, now and whenever it changes.
  ///
  /// Policy: only the newest one waits. It ends when the ``CameraBus`` is closed, at once when it
  /// was closed before, or when the node cannot be reached at first.
  public var readinessUpdates: ReadinessSequence {
    ReadinessSequence(stream: bus.readiness.updates(of: name), bus: bus)
  }
}

/// A camera's readiness as it changes, for one reader. It keeps its ``CameraBus`` alive.
public struct ReadinessSequence: AsyncSequence, Sendable {
  /// Whether the camera can take a photo.
  public typealias Element = Readiness
  /// It ends, but does not fail.
  public typealias Failure = Never

  let stream: AsyncStream<Readiness>
  let bus: CameraBus

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream: stream.makeAsyncIterator(), bus: bus)
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    var stream: AsyncStream<Readiness>.Iterator
    let bus: CameraBus

    /// The next readiness; nil at the end.
    public mutating func next() async -> Readiness? {
      await next(isolation: #isolation)
    }

    /// The next readiness; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Readiness? {
      await stream.next(isolation: actor)
    }
  }
}
