import Capture
import Imaging
import Logging
import MediaLibrary
import Recording

extension RecordingService {
  /// Puts a movie that has ended into the library, unless it has no frame.
  func store(
    _ movie: AssetDraft, _ summary: MovieSummary
  ) async -> Result<Asset?, CaptureError> {
    do throws(MediaLibraryError) {
      guard summary.frames > 0 else {
        try await library.discard(movie)
        return .success(nil)
      }
      return .success(
        try await library.finishMovie(
          movie, createdAt: summary.startedAt, size: (summary.size.width, summary.size.height),
          duration: summary.duration, frameCount: summary.frames))
    } catch {
      let isKept = await postpone(movie)
      var error = CaptureError(error)
      if summary.frames == 0 {
        // What kept the first frame from being written comes before what failed after it.
        return .failure(summary.error.map { CaptureError($0) } ?? error)
      }
      switch isKept {
      case true?:
        error.message +=
          "; what was recorded is kept, and goes into the library when the node starts again"
      case false?:
        error.message = "the movie was deleted while it was recorded: record another one"
      case nil: break
      }
      return .failure(error)
    }
  }

  /// Deletes a movie that nobody wants, now or at the next start of the node.
  func discard(_ movie: AssetDraft) async {
    do { try await library.discard(movie) } catch { _ = await postpone(movie) }
  }

  /// Leaves a movie that could not be stored to the next start of the node, which does not report
  /// its end again.
  /// - Returns: Whether there is a movie; nil if the library failed here too.
  func postpone(_ movie: AssetDraft) async -> Bool? {
    do throws(MediaLibraryError) {
      return try await library.postpone(movie)
    } catch {
      log.log(
        .error, "camera \(movie.description.camera)",
        "the end of a recording may be reported again at the next start: \(error.message)")
      return nil
    }
  }
}
