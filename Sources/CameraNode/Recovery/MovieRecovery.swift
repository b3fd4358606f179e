import Capture
import EventLoop
import MediaLibrary
import Recording
import Synchronization

/// Closes the movies that were cut off when the node was killed, one after the other, on a thread
/// of its own: to copy gigabytes takes its time, and neither cameras nor requests wait for it.
final class MovieRecovery: Sendable {
  /// What became of a movie.
  enum Outcome: Sendable {
    /// It is in the library.
    case saved(Asset)
    /// It has no frame, or none that can be had.
    case lost(CaptureError)
    /// It is as it was, and the next start tries again.
    case postponed(CaptureError)
  }

  private let loop = EventLoop(name: "recovery")
  private let isCancelled = Atomic(false)
  private let library: MediaLibrary

  init(_ library: MediaLibrary) {
    self.library = library
  }

  /// Begins.
  /// - Parameter then: called once for each movie, on any thread.
  func close(
    _ movies: [AssetDraft], then: @escaping @Sendable (AssetDraft, Outcome) -> Void
  ) {
    for movie in movies {
      loop.perform { self.close(movie) { then(movie, $0) } }
    }
  }

  /// Leaves off, and waits for the thread's end. What is not done is done at the next start.
  func stop() {
    isCancelled.store(true, ordering: .relaxed)
    loop.stop()
  }

  private func close(_ movie: AssetDraft, then: @escaping @Sendable (Outcome) -> Void) {
    do throws(RecordingError) {
      let contents = try UnfinishedMovie(path: movie.path).finish {
        isCancelled.load(ordering: .relaxed)
      }
      guard let contents else { return discard(movie, then: then) }
      library.finishMovie(
        movie, duration: .nanoseconds(contents.duration), frameCount: contents.frames,
        isRecovered: true
      ) { result in
        switch result {
        case .success(let asset): then(.saved(asset))
        case .failure(let error): then(.postponed(CaptureError(error)))
        }
      }
    } catch {
      guard error.code == .unreadable else { return then(.postponed(CaptureError(error))) }
      setAside(movie, then: then)
    }
  }

  private func discard(_ movie: AssetDraft, then: @escaping @Sendable (Outcome) -> Void) {
    library.perform { (library) throws(MediaLibraryError) in
      try library.discard(movie)
    } then: { result in
      switch result {
      case .success:
        then(
          .lost(
            CaptureError(
              .frameUnavailable,
              "the node was killed before a frame was in the movie: nothing was kept")))
      case .failure(let error): then(.postponed(CaptureError(error)))
      }
    }
  }

  private func setAside(_ movie: AssetDraft, then: @escaping @Sendable (Outcome) -> Void) {
    library.perform { (library) throws(MediaLibraryError) in
      try library.setAside(movie)
    } then: { result in
      switch result {
      case .success(let path):
        then(
          .lost(
            CaptureError(
              .storageFailed,
              "the node was killed and the movie's beginning is damaged: try to repair \(path)")))
      case .failure(let error): then(.postponed(CaptureError(error)))
      }
    }
  }
}
