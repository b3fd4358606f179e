extension ControlBank {
  var isExposureManual: Bool {
    self[.autoExposure] == SyntheticControl.ExposureMode.manual.rawValue
  }

  /// The picture settings that result from the controls.
  package var picture: PictureSettings {
    var picture = PictureSettings()
    picture.pattern = TestPattern(rawValue: self[.testPattern]) ?? .bars
    if isExposureManual {
      picture.exposure = self[.exposureTime] * 100_000
      picture.light = Double(self[.exposureTime] * self[.gain]) / 10_000
    }
    picture.darkCurrent = Double(max(self[.temperature] - 50, 0))
    picture.contrast = Double(self[.contrast]) / 128
    picture.brightness = Double(self[.brightness] - 128)
    picture.zoom = Double(self[.zoom]) / 100
    picture.blur = Double(self[.focus]) / 5000
    picture.flipsHorizontally = self[.horizontalFlip] != 0
    picture.flipsVertically = self[.verticalFlip] != 0
    return picture
  }
}
