import SwiftProtobuf
import CameraProtocol
import Recording

/// A movie that a camera records now. On the control loop.
struct ActiveRecording {
  /// The record start request's id names it.
  let id: RequestID
  let recorder: MovieRecorder
  /// The quality of the stream it listens to.
  let quality: Int
  let started: WireTimestamp
  /// Requests to stop that wait for the movie's end.
  var stopRequests: [RequestID] = []

  var status: WireRecordingStatus {
    let progress = recorder.progress
    return WireRecordingStatus.with {
      $0.requestID = id.data
      $0.started = started
      $0.frames = UInt64(progress.frames)
      $0.bytes = UInt64(progress.byteCount)
      $0.dropped = UInt64(progress.dropped)
    }
  }
}
