import CameraProtocol

extension Recording {
  /// Waits for the recording's end and returns its movie. It may have ended long before.
  ///
  /// It survives lost events, a broken connection and a restart of the node. After a restart it
  /// waits until the node has closed the movie file that it was killed with. A node that goes away
  /// while this waits may return at any time, so this waits for it without a limit: until the task
  /// is cancelled or the ``CameraBus`` is closed.
  ///
  /// - Throws: The reason why there is no movie: `frameUnavailable` where no frame came,
  ///   `storageFailed`, …; `outcomeUnknown` where neither the node's events nor its library know
  ///   anything of the recording; `unreachable` or `timedOut` when the node is away already at the
  ///   call; `closed` when the ``CameraBus`` closes; `cancelled` when the task is, after which the
  ///   recording goes on.
  public func movie() async throws(CameraBusError) -> Movie {
    try await RecordingFollower(id, of: camera).movie()
  }

  /// Pauses the recording: see ``Camera/pauseRecording(_:)``.
  @discardableResult
  public func pause() async throws(CameraBusError) -> RecordingStatus {
    try await camera.pauseRecording(id)
  }

  /// Lets the paused recording go on: see ``Camera/resumeRecording(_:)``.
  @discardableResult
  public func resume() async throws(CameraBusError) -> RecordingStatus {
    try await camera.resumeRecording(id)
  }

  /// Makes a clip of what is around a moment: see ``Camera/triggerClip(at:of:)``.
  @discardableResult
  public func trigger(
    at moment: MonotonicInstant? = nil
  ) async throws(CameraBusError) -> RecordingStatus {
    try await camera.triggerClip(at: moment, of: id)
  }

  /// Stops the recording and returns its movie when it is safe on the node's disk.
  ///
  /// - Parameter moment: A moment of the node's monotonic clock, at most a minute ahead: the last
  ///   frame is the one nearest to it. Nil, or one that has passed, is the newest frame.
  /// - Throws: As ``movie()``.
  public func stop(at moment: MonotonicInstant? = nil) async throws(CameraBusError) -> Movie {
    do throws(CameraBusError) {
      return try await camera.stopRecording(id, at: moment)
    } catch  where error.code == .conflict {
      // It has ended by itself.
      return try await movie()
    }
  }
}

/// Follows one recording to its end, by the node's events and, where these are gone, by its
/// library.
struct RecordingFollower {
  private enum Finding {
    case movie(Movie)
    /// The kept events have no end of the recording, and the library has no movie of it.
    case nothing
  }

  private let id: Identifier
  private let camera: Camera

  init(_ id: Identifier, of camera: Camera) {
    self.id = id
    self.camera = camera
  }

  func movie() async throws(CameraBusError) -> Movie {
    // The end may be published between the last event and the answer of the library, so search
    // twice.
    for _ in 0..<2 {
      if case .movie(let movie) = try await search() { return movie }
    }
    throw CameraBusError(
      .outcomeUnknown,
      "neither the node's events nor its library know of this recording any more: the node's log says what became of it"
    ).of(id)
  }

  /// Reads the recording's events, from the oldest that the node keeps, and asks the library where
  /// they have no end.
  private func search() async throws(CameraBusError) -> Finding {
    let scope = EventScope(camera: camera.name, kind: .recording)
    for try await event in EventSequence(scope, hasHistory: true, bus: camera.bus) {
      switch event {
      case .event(let event):
        guard case .recording(id, let step) = event.body else { continue }
        switch step {
        case .finished(let movie): return .movie(movie)
        case .failed(let problem): throw CameraBusError(problem).of(id)
        case .started, .progress, .file, .paused, .resumed, .unknown: continue
        }
      case .snapshot(let node):
        // Every kept event came before this. If the recording does not run, its end is among the
        // forgotten events.
        if node.cameras.contains(where: { $0.name == camera.name && $0.recording?.id == id }) {
          continue
        }
        if let finding = try await askLibrary() { return finding }
      case .disconnected(let reason?):
        // Waiting does not change it.
        throw CameraBusError(reason).of(id)
      case .gap, .nodeRestarted, .disconnected, .reconnected:
        // Each is followed by a snapshot.
        continue
      }
    }
    throw CameraBusError.endedEarly.of(id)
  }

  /// Asks the library for the movie.
  ///
  /// - Returns: Nil when the node does not answer. A node that was killed answers only when it has
  ///   closed the movie, and then publishes an event too. A node that went away is followed by
  ///   another snapshot.
  private func askLibrary() async throws(CameraBusError) -> Finding? {
    do throws(CameraBusError) {
      let asset = try await camera.bus.assets(AssetFilter(requestID: id)).first
      return asset.map { .movie(Movie($0, of: id)) } ?? .nothing
    } catch {
      guard [.timedOut, .unreachable, .interrupted].contains(error.code) else { throw error.of(id) }
      return nil
    }
  }
}
