package import Imaging

/// What a session was told last, apart from its format and its controls.
package struct ActiveConfiguration: Hashable, Sendable {
  package var mode = CaptureMode.photo
  package var preset = SessionPreset.inputPriority
  package var orientations = Orientations()
  /// The frames a second that will do; nil = as many as the format has.
  package var rates: ClosedRange<Double>?

  package init() {}

  /// This configuration after a change.
  func merged(with change: SessionConfiguration) -> ActiveConfiguration {
    var new = self
    if let mode = change.mode { new.mode = mode }
    if let preset = change.effectivePreset {
      new.preset = preset
      // A preset takes the fastest rate.
      if preset != .inputPriority { new.rates = nil }
    } else if change.format.pixelFormat != nil || change.format.size != nil {
      new.preset = .inputPriority
    }
    // The camera itself is asked for that rate.
    if change.format.framesPerSecond != nil { new.rates = nil }
    if let rates = change.rates { new.rates = rates }
    new.orientations.preview = orientations.preview.merged(with: change.preview)
    new.orientations.capture = orientations.capture.merged(with: change.capture)
    return new
  }
}

/// What a camera is mainly used for. Every camera takes photos and records movies in both.
package enum CaptureMode: Hashable, Sendable {
  case photo, video

  /// The preset that comes with it.
  var preset: SessionPreset {
    switch self {
    case .photo: .photo
    case .video: .high
    }
  }
}

/// A change of an orientation. What is nil stays as it is.
package struct OrientationChange: Hashable, Sendable {
  package var rotation: Orientation.Rotation?
  package var isMirrored: Bool?

  package init(rotation: Orientation.Rotation? = nil, isMirrored: Bool? = nil) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }
}

extension Orientation {
  fileprivate func merged(with change: OrientationChange) -> Orientation {
    Orientation(change.rotation ?? rotation, isMirrored: change.isMirrored ?? isMirrored)
  }
}
