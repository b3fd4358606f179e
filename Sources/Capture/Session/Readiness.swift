/// Whether a photo could be taken and kept now, and if not, why.
///
/// All cases but this node's own, of formats and storage, are those of AVFoundation's
/// `AVCapturePhotoOutput.CaptureReadiness`.
package enum Readiness: Hashable, Sendable {
  case sessionNotRunning
  case ready
  /// The session is starting, or its first frame has not come yet.
  case notReadyMomentarily
  /// A photo is being taken in another format than the stream's.
  case notReadyChangingFormat
  /// The most requests that may wait for their frame do.
  case notReadyWaitingForCapture
  /// The most pictures that may be encoded or stored at a time are.
  case notReadyWaitingForProcessing
  /// The disk has no room for another photo, or for another file. A photo that is not kept is taken
  /// all the same.
  case notReadyStorageFull
  /// No picture can be made of the frames in the camera's format.
  case notReadyUnsupportedFormat
  /// The library cannot be written, because its folder is gone or its disk is read-only, for
  /// example. A photo that is not kept is taken all the same.
  case notReadyStorageFailed

  /// Whether another photo can be stored.
  package enum Storage: Hashable, Sendable {
    case hasRoom
    /// As many photos as are allowed are on their way to the disk.
    case isBusy
    /// The disk is full.
    case isFull
    /// The library cannot be written.
    case hasFailed
  }

  /// - Parameter format: The format of the running stream.
  package init(
    state: SessionState, isTakingStill: Bool = false, format: StreamFormat?, hasFrames: Bool,
    load: PhotoLoad, storage: Storage
  ) {
    switch state {
    case .starting where isTakingStill: self = .notReadyChangingFormat
    case .stopped, .interrupted, .failed: self = .sessionNotRunning
    case .starting: self = .notReadyMomentarily
    case .running where !hasFrames: self = .notReadyMomentarily
    // A photo starts an idle camera.
    case .running, .idle: self.init(format: format, load: load, storage: storage)
    }
  }

  private init(format: StreamFormat?, load: PhotoLoad, storage: Storage) {
    if format?.pictureRefusal != nil {
      self = .notReadyUnsupportedFormat
    } else if storage == .hasFailed {
      // This and the next one stay until a person acts. The others pass by themselves.
      self = .notReadyStorageFailed
    } else if storage == .isFull {
      self = .notReadyStorageFull
    } else if load.waiting >= PhotoOutput.maximumWaiting {
      self = .notReadyWaitingForCapture
    } else if load.processing >= PhotoOutput.maximumProcessing || storage == .isBusy {
      self = .notReadyWaitingForProcessing
    } else {
      self = .ready
    }
  }
}

/// How many photos of a camera are under way.
package struct PhotoLoad: Hashable, Sendable {
  /// Requests that wait for their frame.
  package var waiting = 0
  /// Pictures being encoded.
  package var processing = 0

  package init() {}
}
