import SwiftProtobuf
import CameraProtocol
import Capture
import Logging
import MediaLibrary
import Recording

extension ControlService {
  /// A movie that was cut off when the node was killed has been closed, or has not.
  func recovered(_ movie: AssetDraft, _ outcome: MovieRecovery.Outcome) {
    let camera = movie.description.camera
    switch outcome {
    case .saved(let asset):
      log.warning("\(camera): a movie that was cut off is saved: \(asset.relativePath)")
      publish(end: .finished(WireRecordResult(recovered: asset)), of: movie)
    case .lost(let error):
      log.warning("\(camera): a movie that was cut off is lost: \(error.message)")
      publish(end: .failed(WireError(error)), of: movie)
    case .postponed(let error):
      log.error("\(camera): a movie that was cut off waits for the next start: \(error.message)")
    }
    guard let recording = movie.recording else { return }
    unfinishedRecordings.remove(recording)
    let requests = heldAssetsRequests
    heldAssetsRequests = []
    for (body, id, deadline) in requests { listAssets(body, id: id, until: deadline) }
  }

  /// For a camera that the node has no longer there is no topic.
  private func publish(end: WireRecordEvent.OneOf_Body, of movie: AssetDraft) {
    let name = movie.description.camera
    guard let recording = movie.recording, cameras.contains(where: { $0.name == name }) else {
      return
    }
    publish(recording: recording, end, ofCamera: name)
  }
}

extension AssetDraft {
  /// The recording that it is the movie of.
  var recording: RequestID? { RequestID(bytes: description.requestID ?? []) }
}
