import Capture
import OperatingSystem

extension ControlID {
  /// Makes a name as V4L2's tools do: lowercase, with one `_` for each run of other characters.
  /// "Exposure Time, Absolute" becomes `exposure_time_absolute`.
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

  /// Makes a name of the driver's number, for a control whose name has no letter of ASCII.
  init(identifier: UInt32) {
    self.init(rawValue: "control_\(identifier.hexadecimalNumber(digitCount: 8))")
  }
}
