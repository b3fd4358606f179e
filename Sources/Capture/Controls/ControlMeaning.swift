/// A control that means the same on every camera, in a unit, and the controls of V4L2 that it sets.
///
/// All meanings are in ``all``, the one table between what a client says and what a driver has. A
/// value that a device's automatic would overrule switches that automatic off, as it does on a
/// phone.
struct ControlMeaning: Sendable {
  /// A control of V4L2 and the value to give it.
  struct Step: Hashable, Sendable {
    var control: StandardControl
    var value: Int64

    init(_ control: StandardControl, _ value: Int64) {
      self.control = control
      self.value = value
    }
  }

  /// What the numbers of a driver mean.
  enum Scale: Hashable, Sendable {
    /// This many of the driver's numbers are one unit.
    case perUnit(Double)
    /// The driver's range, from 0 at its lowest number to 1 at its highest.
    case share
    /// The same, from 0 at its highest number.
    case reversedShare
    /// A multiple of the driver's lowest number, which is above 0.
    case multiple
  }

  enum Form: Hashable, Sendable {
    /// A number of the first of these controls that the device has, on a scale.
    case number([StandardControl], Scale, unit: String)
    /// Words, each with the alternatives that bring it about: the first that the device has is
    /// taken. Where the device can lock its automatics, the bits of that control are used too.
    case choice([Choice], lock: Int64 = 0)
    /// On and off.
    case toggle(StandardControl)
    /// The middle of a region of the sensor by which those automatics go that the bits of another
    /// control name. The centre of the picture, the default, lets them go by all of it.
    case point(region: StandardControl, automatics: StandardControl, bits: Int64)
  }

  struct Choice: Hashable, Sendable {
    var name: String
    var alternatives: [Step]
    /// What is done beside it, before it, as far as the device can.
    var others: [Step]
    /// The automatic ends at its present values: where the device can lock it, by the lock, and
    /// otherwise by setting these controls to what they say now.
    var held: [StandardControl]

    init(
      _ name: String, _ alternatives: Step..., others: [Step] = [], held: [StandardControl] = []
    ) {
      self.name = name
      self.alternatives = alternatives
      self.others = others
      self.held = held
    }
  }

  let id: ControlID
  /// The words for people.
  let name: String
  let form: Form
  /// What must be so first, each with its alternatives. Those of which the device has none are left
  /// out.
  var needs: [[Step]] = []
  /// The values that it has where the node makes it, because the device cannot.
  var byNode: ControlDescription.Scale?

  init(
    _ id: String, _ name: String, _ form: Form, needs: [[Step]] = [],
    byNode: ControlDescription.Scale? = nil
  ) {
    self.id = ControlID(rawValue: id)
    self.name = name
    self.form = form
    self.needs = needs
    self.byNode = byNode
  }
}

extension ControlMeaning {
  /// V4L2_EXPOSURE_MANUAL, or V4L2_EXPOSURE_SHUTTER_PRIORITY, which chooses the aperture alone.
  private static let manualExposure = [Step(.exposureAuto, 1), Step(.exposureAuto, 2)]
  /// V4L2_EXPOSURE_AUTO, or V4L2_EXPOSURE_APERTURE_PRIORITY, which chooses the time alone.
  private static let automaticExposure = [Step(.exposureAuto, 0), Step(.exposureAuto, 3)]

  /// Units and directions are those of the kernel's control reference: "Camera Control Reference",
  /// "User Controls", "Flash Control Reference" and "Image Source Control Reference" of the Linux
  /// Media Infrastructure userspace API.
  static let all: [ControlMeaning] = [
    // V4L2_CID_EXPOSURE_AUTO with V4L2_CID_AUTOGAIN and V4L2_CID_ISO_SENSITIVITY_AUTO, or one of
    // these alone; V4L2_LOCK_EXPOSURE of V4L2_CID_3A_LOCK.
    ControlMeaning(
      "exposure.mode", "Exposure Mode",
      .choice(
        [
          Choice(
            "auto", automaticExposure[0], automaticExposure[1], Step(.automaticGain, 1),
            others: [Step(.automaticGain, 1), Step(.isoSensitivityAuto, 1)]),
          Choice(
            "locked", manualExposure[0], manualExposure[1], Step(.automaticGain, 0),
            others: [Step(.automaticGain, 0), Step(.isoSensitivityAuto, 0)],
            held: [.exposureAbsolute, .gain, .analogueGain, .isoSensitivity]),
        ], lock: 1)),
    // V4L2_CID_EXPOSURE_ABSOLUTE counts units of 100 µs.
    ControlMeaning(
      "exposure.duration", "Exposure Duration",
      .number([.exposureAbsolute], .perUnit(10_000), unit: "s"), needs: [manualExposure]),
    // V4L2_CID_GAIN and V4L2_CID_ANALOGUE_GAIN have no unit.
    ControlMeaning(
      "exposure.gain", "Gain", .number([.gain, .analogueGain], .share, unit: ""),
      needs: [[Step(.automaticGain, 0)], manualExposure]),
    // V4L2_CID_ISO_SENSITIVITY: a menu of thousandths of ISO values.
    ControlMeaning(
      "exposure.iso", "ISO Sensitivity", .number([.isoSensitivity], .perUnit(1000), unit: "ISO"),
      needs: [[Step(.isoSensitivityAuto, 0)]]),
    // V4L2_CID_AUTO_EXPOSURE_BIAS: a menu of thousandths of an EV.
    ControlMeaning(
      "exposure.bias", "Exposure Bias", .number([.autoExposureBias], .perUnit(1000), unit: "EV")),
    // V4L2_CID_EXPOSURE_AUTO_PRIORITY: whether the automatic may expose for longer than the frame
    // rate allows.
    ControlMeaning("low_light", "Low Light, Rate May Fall", .toggle(.exposureAutoPriority)),
    // V4L2_CID_FOCUS_AUTO and V4L2_CID_AUTO_FOCUS_START.
    ControlMeaning(
      "focus.mode", "Focus Mode",
      .choice([
        Choice("auto", Step(.focusAuto, 1)), Choice("once", Step(.autoFocusStart, 1)),
        Choice("locked", Step(.focusAuto, 0)),
      ])),
    // V4L2_CID_FOCUS_ABSOLUTE: higher numbers are nearer.
    ControlMeaning(
      "focus.position", "Focus, 0 Near to 1 Far",
      .number([.focusAbsolute], .reversedShare, unit: ""), needs: [[Step(.focusAuto, 0)]]),
    // V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CID_DO_WHITE_BALANCE, and V4L2_LOCK_WHITE_BALANCE of
    // V4L2_CID_3A_LOCK.
    ControlMeaning(
      "white_balance.mode", "White Balance Mode",
      .choice(
        [
          Choice("auto", Step(.autoWhiteBalance, 1)),
          Choice("once", Step(.doWhiteBalance, 1), others: [Step(.autoWhiteBalance, 0)]),
          Choice(
            "locked", Step(.autoWhiteBalance, 0),
            held: [.whiteBalanceTemperature, .redBalance, .blueBalance]),
        ], lock: 2)),
    // V4L2_CID_WHITE_BALANCE_TEMPERATURE is in kelvin.
    ControlMeaning(
      "white_balance.kelvin", "White Balance Temperature",
      .number([.whiteBalanceTemperature], .perUnit(1), unit: "K"),
      needs: [[Step(.autoWhiteBalance, 0)]]),
    // V4L2_CID_RED_BALANCE and V4L2_CID_BLUE_BALANCE have no unit.
    ControlMeaning(
      "white_balance.red", "White Balance, Red Gain", .number([.redBalance], .share, unit: ""),
      needs: [[Step(.autoWhiteBalance, 0)]]),
    ControlMeaning(
      "white_balance.blue", "White Balance, Blue Gain", .number([.blueBalance], .share, unit: ""),
      needs: [[Step(.autoWhiteBalance, 0)]]),
    // V4L2_CID_UVC_REGION_OF_INTEREST_RECT, of Linux 6.16, and the bits of exposure, iris and focus
    // of V4L2_CID_UVC_REGION_OF_INTEREST_AUTO.
    ControlMeaning(
      "point_of_interest", "Point of Interest",
      .point(region: .regionOfInterest, automatics: .regionAutomatics, bits: 0b1011)),
    // V4L2_CID_ZOOM_ABSOLUTE is the focal length in a unit of the driver; its lowest is life size.
    // Without it the node crops frames. The range is the same in all formats, so that another one
    // never changes the zoom.
    ControlMeaning(
      "zoom", "Zoom Factor", .number([.zoomAbsolute], .multiple, unit: ""),
      byNode: ControlDescription.Scale(range: 1...16, step: 0, defaultValue: 1)),
    // V4L2_CID_FLASH_LED_MODE: V4L2_FLASH_LED_MODE_NONE, _FLASH and _TORCH.
    ControlMeaning(
      "torch.mode", "Torch Mode",
      .choice([
        Choice("off", Step(.flashLEDMode, 0), Step(.flashLEDMode, 1)),
        Choice("on", Step(.flashLEDMode, 2)),
      ])),
    // V4L2_CID_FLASH_TORCH_INTENSITY has no unit that all drivers share.
    ControlMeaning(
      "torch.level", "Torch Level", .number([.torchIntensity], .share, unit: ""),
      needs: [[Step(.flashLEDMode, 2)]]),
    ControlMeaning(
      "flash.mode", "Flash Mode",
      .choice([
        Choice("off", Step(.flashLEDMode, 0), Step(.flashLEDMode, 2)),
        Choice("on", Step(.flashLEDMode, 1)),
      ])),
    // V4L2_CID_IMAGE_STABILIZATION.
    ControlMeaning("stabilization", "Image Stabilization", .toggle(.imageStabilization)),
  ]
}
