package import Capture
import OperatingSystem
import Words

extension SyntheticMicrophone {
  /// Parses the text after `synthetic:` in a microphone's specification:
  /// `[rate=48000][,channels=1][,drift=50ppm][,lasts=2s][,inuse=on]`.
  /// - Throws: `invalidArgument`. The message quotes the wrong part and names valid values.
  package static func parse(
    _ text: some StringProtocol
  ) throws(CaptureError) -> SyntheticMicrophone {
    var microphone = SyntheticMicrophone()
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = words.count == 2 ? String(words[1]) : ""
      switch String(words[0]) {
      case "rate":
        guard let rate = Int(value), (8000...192_000).contains(rate) else {
          throw refused(part, "write samples a second, 8000 to 192000")
        }
        microphone.format.rate = rate
      case "channels":
        guard let channels = Int(value), (1...2).contains(channels) else {
          throw refused(part, "write 1 or 2")
        }
        microphone.format.channels = channels
      case "drift":
        guard value.hasSuffix("ppm"), let drift = Double(value.dropLast(3)), abs(drift) <= 5000
        else { throw refused(part, "write millionths, at most 5000, for example 50ppm") }
        microphone.drift = drift
      case "lasts":
        guard let time = DurationText.parse(value, needsUnit: true), time > .zero else {
          throw refused(part, "write a time above 0 with its unit, for example 2s")
        }
        microphone.lasts = time
      case "inuse":
        guard value == "on" || value == "off" else { throw refused(part, "write on or off") }
        microphone.isInUse = value == "on"
      default:
        throw CaptureError(
          .invalidArgument,
          "the synthetic microphone has no option '\(words[0])': it has rate, channels, drift, lasts and inuse"
        )
      }
    }
    return microphone
  }

  private static func refused(_ part: some StringProtocol, _ remedy: String) -> CaptureError {
    CaptureError(.invalidArgument, "'\(part)' is no valid option: \(remedy)")
  }
}
