package import Capture
import OperatingSystem

/// What every camera's specification may say behind its other parts.
package struct CameraOptions: Hashable, Sendable {
  /// How the operator says that it is built in.
  package var mounting = DeviceMounting()
  /// After how long without users the camera is closed; nil to keep it open.
  package var idleAfter: Duration?
  /// Whether the camera changes its format for photos of the largest size.
  package var switchesForStills = true

  private static let positions: [Substring: DevicePosition] = [
    "front": .front, "back": .back, "external": .external,
  ]

  /// Reads `position=front|back|external`, `rotation=0|90|180|270`, `calibration=FILE`,
  /// `idle=warm|TIME` and `stills=switch|stream`.
  /// - Returns: the rest of the specification too.
  static func parse(
    _ specification: some StringProtocol
  ) throws(ConfigurationError) -> (options: CameraOptions, rest: String) {
    var options = CameraOptions()
    var rest: [Substring] = []
    var seen: Set<Substring> = []
    for part in String(specification).split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2,
        ["position", "rotation", "calibration", "idle", "stills"].contains(words[0])
      else {
        rest.append(part)
        continue
      }
      guard seen.insert(words[0]).inserted else {
        throw ConfigurationError("'\(part)' is a second \(words[0]): leave one of them out")
      }
      try options.set(words[0], to: words[1])
    }
    return (options, rest.joined(separator: ","))
  }

  private mutating func set(_ option: Substring, to text: Substring) throws(ConfigurationError) {
    switch option {
    case "position":
      guard let position = Self.positions[text] else {
        throw ConfigurationError(
          "'\(text)' is no position: write position=front, back or external")
      }
      mounting.position = position
    case "rotation":
      guard let degrees = Int(text), [0, 90, 180, 270].contains(degrees) else {
        throw ConfigurationError(
          "'\(text)' is no rotation: write rotation=0, 90, 180 or 270, the degrees clockwise by which a "
            + "picture must be turned to stand upright")
      }
      mounting.rotation = degrees
    case "calibration":
      guard !text.isEmpty else {
        throw ConfigurationError("'calibration=' names no file: write calibration=FILE")
      }
      mounting.calibration = try CalibrationFile.read(String(text))
    case "stills":
      guard ["switch", "stream"].contains(text) else {
        throw ConfigurationError(
          "'\(text)' is no way to take photos of the largest size: write stills=switch to change the camera's "
            + "format for them, or stills=stream")
      }
      switchesForStills = text == "switch"
    default:
      guard text != "warm" else { return }
      guard let time = DurationText.parse(text, needsUnit: true), time > .zero else {
        throw ConfigurationError(
          "'\(text)' is no time to become idle: write idle=warm, or a time above 0 with its unit such as "
            + "idle=30s")
      }
      idleAfter = time
    }
  }
}
