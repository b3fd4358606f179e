package import Capture

/// The controls of a synthetic camera, named as in V4L2 and its test driver vivid.
package enum SyntheticControl: String, CaseIterable, Sendable {
  // Controls of the picture.
  case brightness
  case contrast
  case autoExposure = "auto_exposure"
  /// In units of 100 µs. 100 (10 ms) exposes the scene correctly. While the automatic is on, its
  /// choice. So are the two others that automatics set.
  case exposureTime = "exposure_time_absolute"
  /// In percent. 100 leaves the light unchanged.
  case gain
  /// A menu of thousandths of an EV, by which the automatic exposure is brighter.
  case exposureBias = "auto_exposure_bias"
  /// Where on the sensor the automatic exposure measures: left, top, width and height.
  case region = "region_of_interest_rectangle"
  /// Bit 0: the automatic exposure goes by the region. Otherwise it goes by the whole scene.
  case regionAutomatics = "region_of_interest_auto_ctrls"
  case autoWhiteBalance = "white_balance_automatic"
  /// Measures what is white in the scene, and holds it.
  case doWhiteBalance = "do_white_balance"
  /// In kelvin: what counts as white. The scene is lit at 5000 K, so a higher value makes the
  /// picture redder.
  case whiteBalance = "white_balance_temperature"
  /// Off, flash or torch. The torch doubles the light at its highest intensity.
  case ledMode = "led_mode"
  case torchIntensity = "intensity_torch_mode"
  /// Fires the flash, which brings four times the light for as long as `strobe_timeout` says. The
  /// LED must be in its flash mode.
  case strobe
  case stopStrobe = "stop_strobe"
  case strobeStatus = "strobe_status"
  /// In microseconds.
  case strobeTimeout = "strobe_timeout"
  /// What was wrong when the flash was fired last.
  case faults
  /// In percent of life size.
  case zoom = "zoom_absolute"
  /// Keeps the picture sharp.
  case autoFocus = "focus_automatic_continuous"
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
  /// The faults of the flash, as the bits of `faults`. With any of them it does not light.
  case flashFault = "inject_flash_fault"
  /// Streaming breaks down until the camera is opened again.
  case fatalError = "inject_fatal_error"

  package var id: ControlID { ControlID(rawValue: rawValue) }

  package init?(_ id: ControlID) {
    self.init(rawValue: id.rawValue)
  }

  /// Whether the control shapes the picture, unlike those that inject faults.
  var isOfPicture: Bool {
    switch self {
    case .brightness, .contrast, .autoExposure, .exposureTime, .gain, .exposureBias,
      .region, .regionAutomatics, .autoWhiteBalance, .whiteBalance, .ledMode, .torchIntensity,
      .strobeTimeout, .zoom, .autoFocus, .focus, .horizontalFlip, .verticalFlip, .testPattern:
      true
    case .doWhiteBalance, .strobe, .stopStrobe, .strobeStatus, .faults, .temperature, .disconnect,
      .disconnectFor,
      .busy, .stall, .errorBuffers, .truncated, .frameLoss, .streamOnError, .flashFault,
      .fatalError:
      false
    }
  }

  /// The controls whose description depends on this one's value.
  var dependents: [SyntheticControl] {
    switch self {
    case .autoExposure: [.exposureTime, .gain, .exposureBias]
    case .autoWhiteBalance, .doWhiteBalance: [.whiteBalance]
    case .autoFocus: [.focus]
    case .strobe: [.faults]
    default: []
    }
  }

  /// Which of V4L2's controls it is.
  var standard: StandardControl? {
    switch self {
    case .brightness: .brightness
    case .contrast: .contrast
    case .autoExposure: .exposureAuto
    case .exposureTime: .exposureAbsolute
    case .gain: .gain
    case .exposureBias: .autoExposureBias
    case .region: .regionOfInterest
    case .regionAutomatics: .regionAutomatics
    case .autoWhiteBalance: .autoWhiteBalance
    case .doWhiteBalance: .doWhiteBalance
    case .whiteBalance: .whiteBalanceTemperature
    case .ledMode: .flashLEDMode
    case .torchIntensity: .torchIntensity
    case .strobe: .flashStrobe
    case .stopStrobe: .flashStrobeStop
    case .strobeStatus: .flashStrobeStatus
    case .strobeTimeout: .flashTimeout
    case .faults: .flashFault
    case .zoom: .zoomAbsolute
    case .autoFocus: .focusAuto
    case .focus: .focusAbsolute
    case .horizontalFlip: .horizontalFlip
    case .verticalFlip: .verticalFlip
    case .testPattern: .testPattern
    case .temperature, .disconnect, .disconnectFor, .busy, .stall, .errorBuffers, .truncated,
      .frameLoss, .streamOnError, .flashFault, .fatalError:
      nil
    }
  }

  /// Whether its values are true and false.
  var isToggle: Bool { staticDescription.kind == .boolean }

  /// The menu of `led_mode`, numbered as in V4L2.
  enum LEDMode: Int64 {
    case off = 0
    case flash = 1
    case torch = 2
  }

  /// The menu of `auto_exposure`, numbered as in V4L2.
  package enum ExposureMode: Int64, Sendable {
    case automatic = 0
    case manual = 1
  }
}
