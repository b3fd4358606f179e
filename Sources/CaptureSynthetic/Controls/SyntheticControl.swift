package import Capture

/// What can be set on a synthetic camera, named as V4L2 and its test driver vivid name things.
package enum SyntheticControl: String, CaseIterable, Sendable {
  // The picture.
  case brightness
  case contrast
  case autoExposure = "auto_exposure"
  /// In units of 100 µs; 100 (10 ms) is the right exposure of the scene.
  case exposureTime = "exposure_time_absolute"
  /// In percent: 100 leaves the light as it is.
  case gain
  /// In percent of life size.
  case zoom = "zoom_absolute"
  /// 0 is sharp; the higher, the more blurred.
  case focus = "focus_absolute"
  case horizontalFlip = "horizontal_flip"
  case verticalFlip = "vertical_flip"
  case testPattern = "test_pattern"
  /// The sensor's heat in °C; above 50 its dark current brightens the picture.
  case temperature

  // Faults.
  /// As unplugged for as long as it is set; the picture's controls go back to their defaults, as without power.
  case disconnect
  /// The same for so many milliseconds.
  case disconnectFor = "disconnect_for"
  /// Streaming cannot start, for another program is at it.
  case busy = "inject_busy"
  /// No frames and no error.
  case stall = "inject_stall"
  /// So many of the next frames are flagged as bad.
  case errorBuffers = "inject_error_buffers"
  /// So many of the next frames break off in the middle.
  case truncated = "inject_truncated"
  /// So many of the next frames are missing, as a gap in the numbering tells.
  case frameLoss = "inject_frame_loss"
  /// The next start of streaming fails.
  case streamOnError = "inject_streamon_error"
  /// Streaming breaks down for good.
  case fatalError = "inject_fatal_error"

  package var id: ControlID { ControlID(rawValue: rawValue) }

  package init?(_ id: ControlID) {
    self.init(rawValue: id.rawValue)
  }

  /// Whether it shapes the picture, rather than being a fault.
  var isOfPicture: Bool {
    switch self {
    case .brightness, .contrast, .autoExposure, .exposureTime, .gain, .zoom, .focus,
      .horizontalFlip,
      .verticalFlip, .testPattern:
      true
    case .temperature, .disconnect, .disconnectFor, .busy, .stall, .errorBuffers, .truncated,
      .frameLoss, .streamOnError, .fatalError:
      false
    }
  }

  /// The controls whose description hangs on this one's value.
  var dependents: [SyntheticControl] {
    self == .autoExposure ? [.exposureTime, .gain] : []
  }

  /// The menu of `auto_exposure`, numbered as in V4L2.
  package enum ExposureMode: Int64, Sendable {
    case automatic = 0
    case manual = 1
  }
}
