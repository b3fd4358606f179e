import CameraProtocol
import Capture
import Logging
import MediaLibrary
import SwiftProtobuf

/// Lists the library's assets, and recovers movies that were cut off when the node was killed.
// Sendable: the constants are safe to share; the variables belong to the control loop.
final class LibraryService: @unchecked Sendable {
  private let cameras: CameraDirectory
  private let events: EventsService
  private let library: MediaLibrary
  private let log: Logger
  /// The recordings whose movies are not recovered yet, each with the requests that wait for it.
  private var unfinished: [RequestID: [RequestID: CheckedContinuation<Void, any Error>]] = [:]

  init(cameras: CameraDirectory, events: EventsService, library: MediaLibrary, log: Logger) {
    self.cameras = cameras
    self.events = events
    self.library = library
    self.log = log
  }

  /// Lists assets. A request for a recording that was cut off is answered when its movie is
  /// recovered.
  func list(_ body: WireAssetsRequest, _ call: Call) async throws {
    if let recording = RequestID(bytes: body.requestID) {
      try await recovered(recording, call)
    }
    let limit = body.limit == 0 ? 100 : Int(body.limit)
    let camera = body.camera.isEmpty ? nil : body.camera
    let (id, requestID) = (AssetID(bytes: Array(body.id)), Array(body.requestID))
    let assets = try await call.work(on: library) { library in
      try library.assets(
        camera: camera, id: id, requestID: requestID.isEmpty ? nil : requestID, limit: limit)
    }
    call.finish(.assets(.with { $0.assets = assets.map(WireAsset.init) }))
  }

  // MARK: Recovery

  /// Recovers movies that were cut off, one after the other, and publishes the result of each
  /// recording.
  func recover(_ movies: [AssetDraft], by recovery: MovieRecovery) async {
    for recording in movies.compactMap(\.recording) { unfinished[recording] = [:] }
    for movie in movies {
      let outcome = await recovery.close(movie)
      report(outcome, of: movie)
      guard let recording = movie.recording else { continue }
      for waiting in (unfinished.removeValue(forKey: recording) ?? [:]).values {
        if recovery.isCancelled {
          waiting.resume(throwing: CaptureError.nodeStops)
        } else {
          waiting.resume()
        }
      }
    }
  }

  /// Waits until the recording's movie is recovered.
  /// - Throws: `cancelled`; `interrupted` if the node stops before.
  private func recovered(_ recording: RequestID, _ call: Call) async throws {
    guard unfinished[recording] != nil else { return }
    call.onCancel = {
      let waiting = self.unfinished[recording]?.removeValue(forKey: call.id)
      waiting?.resume(throwing: CaptureError.requestCancelled)
      return waiting != nil
    }
    defer { call.onCancel = nil }
    try await withCheckedThrowingContinuation { continuation in
      // Other work on the loop may have come first and recovered the movie.
      guard unfinished[recording] != nil else { return continuation.resume() }
      unfinished[recording]?[call.id] = continuation
    }
  }

  private func report(_ outcome: MovieRecovery.Outcome, of movie: AssetDraft) {
    let camera = movie.description.camera
    switch outcome {
    case .saved(let asset):
      log.warning("\(camera): a movie that was cut off is saved: \(asset.relativePath)")
      publish(.finished(WireRecordResult(recovered: asset)), of: movie)
    case .lost(let error):
      log.warning("\(camera): a movie that was cut off is lost: \(error.message)")
      publish(.failed(WireError(error)), of: movie)
    case .postponed(let error):
      log.error("\(camera): a movie that was cut off waits for the next start: \(error.message)")
    }
  }

  /// Publishes the result of a recording, unless the node no longer has its camera: then there is
  /// no topic for it.
  private func publish(_ end: WireRecordEvent.OneOf_Body, of movie: AssetDraft) {
    let camera = movie.description.camera
    guard let recording = movie.recording, cameras[camera] != nil else { return }
    events.publish(recording: recording, end, ofCamera: camera)
  }
}

extension AssetDraft {
  /// The id of the recording that made this movie.
  fileprivate var recording: RequestID? { RequestID(bytes: description.requestID ?? []) }
}
