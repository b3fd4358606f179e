import CameraProtocol
import Imaging
import Recording
import SwiftProtobuf

/// The movie that a camera records now. Used on the control loop only.
struct ActiveRecording {
  /// The id of the request that started it.
  let id: RequestID
  let recorder: MovieRecorder
  /// What waits for its beginning; nil if it begins at once.
  let gate: MovieGate?
  /// The quality of the JPEG stream that it records.
  let quality: Int
  /// How its pictures are turned.
  let orientation: Orientation
  let started: WireTimestamp

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
