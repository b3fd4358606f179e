import Capture

extension DeviceMounting {
  private static let positions: [Substring: DevicePosition] = [
    "front": .front, "back": .back, "external": .external,
  ]

  /// Reads `position=front|back|external`, `rotation=0|90|180|270` and `calibration=FILE`, which
  /// every camera may have behind the other parts of its specification.
  /// - Returns: the rest of the specification too.
  static func parse(
    _ specification: some StringProtocol
  ) throws(ConfigurationError) -> (mounting: DeviceMounting, rest: String) {
    var mounting = DeviceMounting()
    var rest: [Substring] = []
    for part in String(specification).split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch words[0] {
      case "position" where words.count == 2:
        guard let position = positions[words[1]], mounting.position == nil else {
          throw ConfigurationError(
            "'\(part)' is no position, or a second one: write position=front, back or external")
        }
        mounting.position = position
      case "rotation" where words.count == 2:
        guard let degrees = Int(words[1]), [0, 90, 180, 270].contains(degrees),
          mounting.rotation == nil
        else {
          throw ConfigurationError(
            "'\(part)' is no rotation, or a second one: write rotation=0, 90, 180 or 270, the degrees clockwise "
              + "by which a picture must be turned to stand upright")
        }
        mounting.rotation = degrees
      case "calibration" where words.count == 2:
        guard !words[1].isEmpty, mounting.calibration == nil else {
          throw ConfigurationError(
            "'\(part)' is no calibration, or a second one: write calibration=FILE")
        }
        mounting.calibration = try CalibrationFile.read(String(words[1]))
      default: rest.append(part)
      }
    }
    return (mounting, rest.joined(separator: ","))
  }
}
