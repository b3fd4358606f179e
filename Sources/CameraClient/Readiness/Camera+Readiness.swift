extension Camera {
  /// Whether the camera can take a photo now, without asking the node. It combines the node's last
  /// event with this program's own photos over this ``CameraBus``: those that are on their way, and
  /// the node's limits for one client, 12 that wait or are encoded and 24 in all. It is nil until
  /// the node's first event, while it is silent, and after the ``CameraBus`` was closed.
  ///
  /// A photo may be `busy` all the same: if other programs use the same key, if others have so many
  /// photos under way that each program gets only one, or if too many deferred photos wait.
  ///
  /// The first use subscribes to the node's events until the ``CameraBus`` is closed.
  public var readiness: Readiness? {
    bus.readiness.readiness(of: name)
  }

  /// Whether the camera can take a photo with these settings now. A flash, a bracket and a photo of
  /// the largest size change the camera's controls or format, so they are `notReadyLeased` while
  /// another program has the camera's lease. (A photo of the largest size is taken all the same if
  /// the stream has that size.) Otherwise it is ``readiness``.
  ///
  /// - Parameters:
  ///   - settings: What the photo is to be.
  ///   - isBracket: Whether the settings are those of a bracket.
  public func readiness(for settings: PhotoSettings, isBracket: Bool = false) -> Readiness? {
    let changesCamera = isBracket || settings.flash != .off || settings.size == .maximum
    return bus.readiness.readiness(of: name, changesCamera: changesCamera)
  }

  /// The ``readiness``, now and whenever it changes.
  ///
  /// Policy: only the newest one waits. It ends when the ``CameraBus`` is closed, at once when it
  /// was closed before, or when the node cannot be reached at first.
  public var readinessUpdates: ReadinessSequence {
    bus.readiness.follow()
    return ReadinessSequence(name: name, bus: bus)
  }
}

/// A camera's readiness as it changes. Each reader gets every newest one. It keeps its
/// ``CameraBus`` alive.
public struct ReadinessSequence: AsyncSequence, Sendable {
  /// Whether the camera can take a photo.
  public typealias Element = Readiness
  /// It ends, but does not fail.
  public typealias Failure = Never

  let name: String
  let bus: CameraBus

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream: bus.readiness.updates(of: name).makeAsyncIterator(), bus: bus)
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

extension Readiness {
  /// The photo would change the camera's controls or format, and another program has the camera's
  /// lease, or this program's lease has ended. Only ``Camera/readiness(for:isBracket:)`` says this.
  public static let notReadyLeased = Self(rawValue: "notReadyLeased")
}
