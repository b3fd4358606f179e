import CameraClient

/// Follows a recording by the node's events, from before it begins.
struct RecordingFollower {
  private let camera: Camera
  private let events: EventSequence

  init(_ camera: Camera) {
    self.camera = camera
    events = camera.events()
  }

  /// Starts the recording once events can be heard.
  func begin(_ start: () async throws -> Recording) async throws -> Recording {
    var iterator = events.makeAsyncIterator()
    _ = try await iterator.next()
    return try await start()
  }

  /// Waits for the movie.
  func end(of recording: Recording) async throws -> MovieReport? {
    var hasRestarted = false
    for try await element in events {
      switch element {
      case .event(let event):
        guard case .recording(recording.id, let news) = event.body else { continue }
        switch news {
        case .started: continue
        case .finished(let movie): return MovieReport(movie)
        case .failed(let problem): throw CameraBusError(problem.code, problem.message)
        }
      case .snapshot(let node):
        // The end may have been among what was missed.
        let status = node.cameras.first { $0.name == camera.name }
        guard status?.recording?.id != recording.id else { continue }
        switch try await movie(of: recording) {
        case .found(let movie): return movie
        case .missing where hasRestarted:
          throw CameraBusError(
            .outcomeUnknown, "the node was started anew and has no such movie: its log says why")
        case .missing, .awaited: continue
        }
      case .nodeRestarted: hasRestarted = true
      case .gap, .disconnected, .reconnected: continue
      }
    }
    return nil
  }

  private enum LibrarysAnswer {
    case found(MovieReport), missing
    /// A node that was killed answers when it has saved the movie, and tells of it by an event.
    case awaited
  }

  /// Asks the library for the movie.
  private func movie(of recording: Recording) async throws -> LibrarysAnswer {
    do {
      let assets = try await camera.bus.assets(madeFor: recording.id)
      return assets.first.map { .found(MovieReport($0, of: recording)) } ?? .missing
    } catch {
      guard error.code == .timedOut else { throw error }
      return .awaited
    }
  }
}
