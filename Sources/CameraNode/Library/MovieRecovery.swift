import CameraProtocol
import Capture
import EventLoop
import Imaging
import MediaLibrary
import OperatingSystem
import Recording
import Synchronization
import Words

/// Recovers movies that were cut off when the node was killed. It has a thread of its own, so that
/// cameras and requests do not wait while gigabytes are copied.
actor MovieRecovery: LoopActor {
  enum Outcome: Sendable {
    /// The movie is in the library.
    case saved(Asset)
    /// The movie has no frame, or none that can be read.
    case lost(CaptureError)
    /// The movie is unchanged, and can be tried again.
    case postponed(CaptureError)
  }

  nonisolated let loop: EventLoop
  private nonisolated let wasCancelled = Atomic(false)
  private let library: MediaLibrary
  private var rest: Suspension?

  init(_ library: MediaLibrary, on loop: EventLoop) {
    self.library = library
    self.loop = loop
  }

  /// Leaves the remaining movies to the node's next start. Can be called on any thread.
  nonisolated func cancel() {
    wasCancelled.store(true, ordering: .relaxed)
    enter { $0.rest?.resume() }
  }

  nonisolated var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

  /// Waits before the next try. A cancelled recovery does not wait.
  nonisolated func rest(for duration: Duration) async {
    try? await loop.suspend { [self] suspension in
      guard !isCancelled else { return nil }
      assumeIsolated { $0.rest = suspension }
      let timer = loop.schedule(at: .now + duration) { suspension.resume() }
      return { timer.cancel() }
    }
  }

  /// Recovers one movie.
  /// - Parameters:
  ///   - keepsEmpty: Whether the file of a movie without a frame is set aside, and one that is not
  ///     read to its end. Otherwise the first is deleted, and the second is tried again.
  ///   - goesOn: Asked before every frame.
  func close(
    _ movie: AssetDraft, keepsEmpty: Bool = false, while goesOn: @Sendable () -> Bool = { true }
  ) async -> Outcome {
    do {
      let contents = try UnfinishedMovie(path: movie.path).finish { isCancelled || !goesOn() }
      guard let contents else {
        return keepsEmpty ? await setAside(movie) : try await discard(movie)
      }
      return .saved(
        try await library.finishMovie(
          movie, createdAt: contents.startedAt, size: (contents.size.width, contents.size.height),
          duration: contents.duration, frameCount: contents.frames,
          isRecovered: true))
    } catch let error as RecordingError
      where error.code == .unreadable || keepsEmpty && error.code == .cancelled
    {
      return await setAside(movie)
    } catch let error as RecordingError {
      return .postponed(CaptureError(error))
    } catch let error as MediaLibraryError {
      return .postponed(CaptureError(error))
    } catch {
      preconditionFailure("closing a movie failed in an unknown way: \(error)")
    }
  }

  /// The movies in the library that a recording has left, the newest one first: as many as a page
  /// has.
  func files(of recording: RequestID) async -> [Asset] {
    var query = AssetQuery()
    query.requestID = recording.bytes
    query.kind = .movie
    return (try? await library.assets(query, after: nil, limit: 1000, digesting: 0).assets) ?? []
  }

  /// What a file of the library says about itself; nil if that is not enough.
  /// - Parameter goesOn: Asked before every frame of a movie.
  func facts(of file: UnlistedFile, while goesOn: @Sendable () -> Bool) -> FileFacts? {
    FileFacts(file) { goesOn() && !isCancelled }
  }

  private func discard(_ movie: AssetDraft) async throws(MediaLibraryError) -> Outcome {
    try await library.discard(movie)
    return .lost(
      CaptureError(
        .frameUnavailable,
        "the node was killed before a frame was in the movie: nothing was kept"))
  }

  private func setAside(_ movie: AssetDraft) async -> Outcome {
    do throws(MediaLibraryError) {
      let path = try await library.setAside(movie)
      return .lost(
        CaptureError(
          .storageFailed,
          "the node was killed and the movie's beginning is damaged: try to repair \(path)"))
    } catch {
      return .postponed(CaptureError(error))
    }
  }
}
