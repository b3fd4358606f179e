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
