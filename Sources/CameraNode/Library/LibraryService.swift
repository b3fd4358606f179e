import CameraProtocol
import Capture
import EventLoop
import FoundationEssentials
import Logging
import MediaLibrary
import SwiftProtobuf

/// Lists the library's assets, deletes and protects them, and recovers movies that were cut off
/// when the node was killed.
// Sendable: the constants are safe to share; the variables belong to the control loop.
final class LibraryService: @unchecked Sendable {
  /// How many assets of a list are made at a time. Others use the library in between.
  private static let sliceLength = 50

  let library: MediaLibrary
  private let cameras: CameraDirectory
  private let events: EventsService
  private let log: Logger
  private let lists: LibraryQueue
  let changes: LibraryQueue
  /// The recordings whose movies are not recovered yet, each with the requests that wait for it.
  private var unfinished: [RequestID: [RequestID: CheckedContinuation<Void, any Error>]] = [:]

  init(
    cameras: CameraDirectory, events: EventsService, library: MediaLibrary, on loop: EventLoop,
    log: Logger
  ) {
    self.cameras = cameras
    self.events = events
    self.library = library
    self.log = log
    lists = LibraryQueue(ofQuestions: true, on: loop)
    changes = LibraryQueue(ofQuestions: false, on: loop)
  }

  /// Lists assets. A request for a recording that was cut off is answered when its movie is
  /// recovered.
  func list(_ body: WireAssetsRequest, _ call: Call) async throws {
    if let recording = RequestID(bytes: body.requestID) {
      try await recovered(recording, call)
    }
    let limit = body.limit == 0 ? 100 : Int(body.limit)
    try await lists.run(call, assets: limit) {
      // The list can be cancelled until the library has time for it.
      try await call.work(on: library) { _ in }
      let reply = try await assets(AssetQuery(body), after: body.page, limit: limit, call)
      guard let reply else { throw CaptureError.clientIsGone }
      if reply.assets.isEmpty { try await requireCamera(body.camera) }
      call.finish(.assets(reply))
    }
  }

  /// - Returns: Nil when the client is gone.
  private func assets(
    _ query: AssetQuery, after page: Data, limit: Int, _ call: Call
  ) async throws(MediaLibraryError) -> WireAssetsReply? {
    var reply = WireAssetsReply()
    var cursor = AssetCursor(bytes: Array(page))
    var bytesToDigest = MediaLibrary.digestedByteCount
    while call.hasClient {
      let slice = try await library.assets(
        query, after: cursor, limit: min(Self.sliceLength, limit - reply.assets.count),
        digesting: bytesToDigest)
      for asset in slice.changes { log.warning("\(asset.changeWords)") }
      reply.assets += slice.assets.map(WireAsset.init)
      cursor = slice.next
      bytesToDigest -= slice.digestedByteCount
      guard cursor != nil, reply.assets.count < limit else {
        reply.next = Data(cursor?.bytes ?? [])
        return reply
      }
    }
    return nil
  }

  /// - Throws: `noSuchCamera` if neither the node nor the library knows the camera. The library may
  ///   have assets of a camera that the node no longer has.
  private func requireCamera(_ name: String) async throws {
    guard !name.isEmpty, cameras[name] == nil, try await !library.hasAssets(ofCamera: name)
    else { return }
    _ = try cameras.named(name)
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

  /// Publishes the result of a recording, unless it was published before, or the node no longer has
  /// its camera: then there is no topic for it.
  private func publish(_ end: WireRecordEvent.OneOf_Body, of movie: AssetDraft) {
    let camera = movie.description.camera
    guard let recording = movie.recording, !movie.hasEnded, cameras[camera] != nil else { return }
    events.publish(recording: recording, end, ofCamera: camera)
  }
}

extension Asset {
  /// What a look at its file has shown, and what to do.
  fileprivate var changeWords: String {
    switch condition {
    case .intact: "\(relativePath) is what was stored again"
    case .missing: "\(relativePath) is gone: put it back, or delete the asset \(id)"
    case .changed:
      "\(relativePath) is no longer what was stored: put the original back, or delete the asset \(id)"
    }
  }
}

extension AssetDraft {
  /// The id of the recording that made this movie.
  fileprivate var recording: RequestID? { RequestID(bytes: description.requestID ?? []) }
}
