/// A control that V4L2 defines, by its identifier in <linux/v4l2-controls.h>. Its name differs
/// between kernels; its identifier and its unit never change.
package enum StandardControl: UInt32, Sendable {
  // V4L2_CID_USER_BASE
  case brightness = 0x0098_0900
  case contrast = 0x0098_0901
  case saturation = 0x0098_0902
  case hue = 0x0098_0903
  case autoWhiteBalance = 0x0098_090c
  case doWhiteBalance = 0x0098_090d
  case redBalance = 0x0098_090e
  case blueBalance = 0x0098_090f
  case gamma = 0x0098_0910
  case exposure = 0x0098_0911
  case automaticGain = 0x0098_0912
  case gain = 0x0098_0913
  case horizontalFlip = 0x0098_0914
  case verticalFlip = 0x0098_0915
  case whiteBalanceTemperature = 0x0098_091a
  case sharpness = 0x0098_091b
  case backlightCompensation = 0x0098_091c
  case colorEffects = 0x0098_091f
  // V4L2_CID_USER_UVC_BASE
  case regionOfInterest = 0x0098_1ae1
  case regionAutomatics = 0x0098_1ae2
  // V4L2_CID_CAMERA_CLASS_BASE
  case exposureAuto = 0x009a_0901
  case exposureAbsolute = 0x009a_0902
  case exposureAutoPriority = 0x009a_0903
  case focusAbsolute = 0x009a_090a
  case focusAuto = 0x009a_090c
  case zoomAbsolute = 0x009a_090d
  case irisAbsolute = 0x009a_0911
  case autoExposureBias = 0x009a_0913
  case imageStabilization = 0x009a_0916
  case isoSensitivity = 0x009a_0917
  case isoSensitivityAuto = 0x009a_0918
  case lockOfAutomatics = 0x009a_091b
  case autoFocusStart = 0x009a_091c
  // V4L2_CID_FLASH_CLASS_BASE
  case flashLEDMode = 0x009c_0901
  case flashStrobeSource = 0x009c_0902
  case flashStrobe = 0x009c_0903
  case flashStrobeStop = 0x009c_0904
  case flashStrobeStatus = 0x009c_0905
  case flashTimeout = 0x009c_0906
  case torchIntensity = 0x009c_0908
  case flashFault = 0x009c_090a
  // V4L2_CID_IMAGE_SOURCE_CLASS_BASE
  case testPattern = 0x009f_0903
  case analogueGain = 0x009e_0903

  /// Whether a picture looks different after a change.
  var isSeen: Bool {
    switch self {
    case .exposureAutoPriority, .imageStabilization, .flashStrobeSource, .flashStrobeStatus,
      .flashTimeout, .flashFault, .lockOfAutomatics:
      false
    default: true
    }
  }
}
