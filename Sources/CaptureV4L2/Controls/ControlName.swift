import Capture

extension ControlID {
  /// The name that V4L2's tools make of a driver's words: lowercase, and one `_` for what is no letter or digit.
  /// "Exposure Time, Absolute" is `exposure_time_absolute`.
  init(driverName: String) {
    var name = ""
    var needsSeparator = false
    for byte in driverName.utf8 {
      let letter = Character(UnicodeScalar(byte))
      if byte < 0x80, letter.isLetter || letter.isNumber {
        if needsSeparator, !name.isEmpty { name.append("_") }
        needsSeparator = false
        name.append(contentsOf: letter.lowercased())
      } else {
        needsSeparator = true
      }
    }
    self.init(rawValue: name)
  }
}
