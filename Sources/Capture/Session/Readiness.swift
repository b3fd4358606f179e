/// Whether a photo could be taken now, and if not, why.
///
/// The cases are those of AVFoundation's `AVCapturePhotoOutput.CaptureReadiness`.
package enum Readiness: Hashable, Sendable {
  case sessionNotRunning
  case ready
  /// The session is starting, or its first frame has not come yet.
  case notReadyMomentarily
  /// The most requests that may wait for their frame do.
  case notReadyWaitingForCapture
  /// The most pictures that may be encoded at a time are.
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
