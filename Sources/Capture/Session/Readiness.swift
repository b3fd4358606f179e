/// Whether a photo asked for now would be taken up, and if not, what it waits for.
///
/// The cases are those of AVFoundation's `AVCapturePhotoOutput.CaptureReadiness`.
package enum Readiness: Hashable, Sendable {
  case sessionNotRunning
  case ready
  /// The session starts, or its first frame is still to come.
  case notReadyMomentarily
  /// As many requests wait for their frame as may.
  case notReadyWaitingForCapture
  /// As many pictures are being made as may.
  case notReadyWaitingForProcessing

  package init(state: SessionState, hasFrames: Bool, load: PhotoLoad) {
    switch state {
    case .stopped, .interrupted, .failed: self = .sessionNotRunning
    case .starting: self = .notReadyMomentarily
    case .running where !hasFrames: self = .notReadyMomentarily
    case .running where load.waiting >= PhotoOutput.maximumWaiting:
      self = .notReadyWaitingForCapture
    case .running where load.processing >= PhotoOutput.maximumProcessing:
      self = .notReadyWaitingForProcessing
    case .running: self = .ready
    }
  }
}
