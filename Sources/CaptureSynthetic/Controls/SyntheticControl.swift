package import Capture

/// The controls of a synthetic camera, named as in V4L2 and its test driver vivid.
package enum SyntheticControl: String, CaseIterable, Sendable {
  // Controls of the picture.
  case brightness
  case contrast
  case autoExposure = "auto_exposure"
  /// In units of 100 µs. 100 (10 ms) exposes the scene correctly.
  case exposureTime = "exposure_time_absolute"
  /// In percent. 100 leaves the light unchanged.
  case gain
  /// In percent of life size.
  case zoom = "zoom_absolute"
  /// 0 is sharp; higher values blur the picture more.
  case focus = "focus_absolute"
  case horizontalFlip = "horizontal_flip"
  case verticalFlip = "vertical_flip"
  case testPattern = "test_pattern"
  /// The sensor's temperature in °C. Above 50 its dark current brightens the picture.
  case temperature

  // Injected faults.
  /// Keeps the camera unplugged while it is set. The picture's controls return to their defaults,
  /// as after a loss of power.
  case disconnect
  /// Unplugs the camera for this number of milliseconds.
  case disconnectFor = "disconnect_for"
  /// Streaming cannot start, as if another program used the camera.
  case busy = "inject_busy"
  /// No frames arrive, without an error.
  case stall = "inject_stall"
  /// This many of the next frames are flagged as corrupted.
  case errorBuffers = "inject_error_buffers"
  /// This many of the next frames are cut off in the middle.
  case truncated = "inject_truncated"
  /// This many of the next frames are missing, which leaves a gap in the numbering.
  case frameLoss = "inject_frame_loss"
  /// The next start of streaming fails.
  case streamOnError = "inject_streamon_error"
  /// Streaming breaks down for good.
  case fatalError = "inject_fatal_error"

  package var id: ControlID { ControlID(rawValue: rawValue) }

  package init?(_ id: ControlID) {
    self.init(rawValue: id.rawValue)
  }

  /// Whether the control shapes the picture, unlike those that inject faults.
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

  /// The controls whose description depends on this one's value.
  var dependents: [SyntheticControl] {
    self == .autoExposure ? [.exposureTime, .gain] : []
  }

  /// The menu of `auto_exposure`, numbered as in V4L2.
  package enum ExposureMode: Int64, Sendable {
    case automatic = 0
    case manual = 1
  }
}
