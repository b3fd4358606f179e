import Capture
import Testing

@testable import CaptureV4L2

@Suite struct ControlNameTests {
  @Test(
    "A control has the same name as in v4l2-ctl",
    arguments: [
      ("Brightness", "brightness"),
      ("Exposure Time, Absolute", "exposure_time_absolute"),
      ("White Balance Temperature, Auto", "white_balance_temperature_auto"),
      ("Focus (absolute)", "focus_absolute"),
      ("Y'CbCr Encoding", "y_cbcr_encoding"),
      ("U16 8x16 Matrix", "u16_8x16_matrix"),
      ("  Leading", "leading"),
      ("Größe", "gr_e"),
      ("", ""),
    ]
  )
  func name(words: String, expected: String) {
    #expect(ControlID(driverName: words).rawValue == expected)
  }

  @Test("Controls with the same name get numbers")
  func uniqueness() {
    let gain = ControlID(rawValue: "gain")
    let second = ControlCatalog.unique(gain, among: [gain])
    #expect(ControlCatalog.unique(gain, among: []) == gain)
    #expect(second.rawValue == "gain_2")
    #expect(ControlCatalog.unique(gain, among: [gain, second]).rawValue == "gain_3")
  }
}
