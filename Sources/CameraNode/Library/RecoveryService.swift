import CameraProtocol
import Capture
import EventLoop
import Logging
import MediaLibrary

/// Recovers the movies that were cut off when the node was killed, and lets those wait who ask for
/// them.
@ControlLoop final class RecoveryService {
  /// How many times as long as the first pause between two tries the longest is.
  private static let longestPause = 12

  /// The recovery of the movie of a recording that was cut off.
  private enum UnfinishedRecording {
    /// With the requests that wait for its end.
    case recovering([RequestID: CheckedContinuation<Void, any Error>])
    case postponed(CaptureError)
  }

  private let cameras: CameraDirectory
  private let events: EventsService
  private let firstPause: Duration
  private let log: Logger
  /// The recordings whose movies are not recovered yet.
  private var unfinished: [RequestID: UnfinishedRecording] = [:]
  /// How many files of each are not: one that is made ahead is among them.
  private var files: [RequestID: Int] = [:]

  init(cameras: CameraDirectory, events: EventsService, firstPause: Duration, log: Logger) {
    self.cameras = cameras
    self.events = events
    self.firstPause = firstPause
    self.log = log
  }

  /// Recovers movies that were cut off, one after the other, and publishes the result of each
  /// recording. Tries again while some of them wait, for room on the disk for example.
  func recover(_ movies: [AssetDraft], by recovery: MovieRecovery) async {
    for recording in movies.compactMap(\.recording) {
      unfinished[recording] = .recovering([:])
      files[recording, default: 0] += 1
    }
    var movies = movies
    var pause: Duration?
    // The first round also answers those who wait when the recovery is cancelled before it begins.
    repeat {
      if let pause { await recovery.rest(for: pause) }
      var waiting: [AssetDraft] = []
      for movie in movies {
        let outcome = await tryToRecover(movie, by: recovery)
        switch outcome {
        case .saved(let asset):
          log.warning("\(movie.camera): a movie that was cut off is saved: \(asset.relativePath)")
        case .lost(let error):
          // The next file of a recording, made ahead, has nothing to lose.
          guard await !isSpare(movie, by: recovery) else { continue }
          log.warning("\(movie.camera): a movie that was cut off is lost: \(error.message)")
        case .postponed(let error):
          waiting.append(movie)
          if pause == nil {
            log.error("\(movie.camera): a movie that was cut off waits: \(error.message)")
          }
        }
      }
      movies = waiting
      pause = min(pause.map { $0 * 2 } ?? firstPause, firstPause * Self.longestPause)
    } while !movies.isEmpty && !recovery.isCancelled
  }

  private func tryToRecover(
    _ movie: AssetDraft, by recovery: MovieRecovery
  ) async -> MovieRecovery.Outcome {
    if let recording = movie.recording, case .postponed = unfinished[recording] {
      unfinished[recording] = .recovering([:])
    }
    let outcome = await recovery.close(movie)
    guard let recording = movie.recording else { return outcome }
    var delay: CaptureError?
    if case .postponed(var error) = outcome {
      error.message = "the movie of this recording waits: \(error.message)"
      delay = recovery.isCancelled ? .nodeStops : error
    }
    if delay == nil {
      // Its other files are not recovered yet.
      if let left = files[recording], left > 1 {
        files[recording] = left - 1
        return outcome
      }
      files[recording] = nil
      await publish(outcome, of: movie, recording, by: recovery)
    }
    guard case .recovering(let waiting) = unfinished.removeValue(forKey: recording) else {
      return outcome
    }
    if let delay { unfinished[recording] = .postponed(delay) }
    for continuation in waiting.values {
      if let delay {
        continuation.resume(throwing: delay)
      } else {
        continuation.resume()
      }
    }
    return outcome
  }

  /// Waits until the recording's movie is recovered, if it is one of them.
  /// - Throws: `cancelled`; `interrupted` if the node stops before; why the movie has to wait.
  func wait(for recording: RequestID, _ call: Call) async throws {
    guard unfinished[recording] != nil else { return }
    let interruption = Interruption(onCancel: {
      let waiting = self.removeWaiting(call.id, for: recording)
      waiting?.resume(throwing: CaptureError.requestCancelled)
      return waiting != nil
    })
    try await call.interruptible(by: interruption) {
      try await withCheckedThrowingContinuation { continuation in
        switch unfinished[recording] {
        case .recovering(var waiting):
          waiting[call.id] = continuation
          unfinished[recording] = .recovering(waiting)
        case .postponed(let error): continuation.resume(throwing: error)
        // Other work on the loop came first and recovered the movie.
        case nil: continuation.resume()
        }
      }
    }
  }

  private func removeWaiting(
    _ request: RequestID, for recording: RequestID
  ) -> CheckedContinuation<Void, any Error>? {
    guard case .recovering(var waiting) = unfinished[recording] else { return nil }
    let continuation = waiting.removeValue(forKey: request)
    unfinished[recording] = .recovering(waiting)
    return continuation
  }

  /// Whether a recording has left other files than this one.
  private func isSpare(_ movie: AssetDraft, by recovery: MovieRecovery) async -> Bool {
    guard let recording = movie.recording else { return false }
    if files[recording] != nil { return true }
    return await !recovery.files(of: recording).isEmpty
  }

  /// Publishes the result of a recording whose last file has this outcome, unless it was published
  /// before, or the node no longer has its camera: then there is no topic for it.
  private func publish(
    _ outcome: MovieRecovery.Outcome, of movie: AssetDraft, _ recording: RequestID,
    by recovery: MovieRecovery
  ) async {
    guard !movie.hasEnded, cameras[movie.camera] != nil else { return }
    // With the files of a recording in segments or clips that were complete before.
    let kept = await recovery.files(of: recording)
    let end: WireRecordEvent.OneOf_Body
    switch outcome {
    case .lost(let error) where kept.isEmpty: end = .failed(WireError(error))
    case .saved(let asset) where kept.count < 2: end = .finished(WireRecordResult(recovered: asset))
    default:
      guard let newest = kept.first else { return }
      var result = WireRecordResult(recovered: newest)
      result.frames = kept.reduce(0) { $0 + UInt64($1.frameCount ?? 0) }
      result.segments = UInt32(clamping: kept.count)
      end = .finished(result)
    }
    events.publish(recording: recording, end, ofCamera: movie.camera)
  }
}

extension AssetDraft {
  fileprivate var camera: String { description.camera }
  /// The id of the recording that made this movie.
  fileprivate var recording: RequestID? { RequestID(bytes: description.requestID ?? []) }
}
