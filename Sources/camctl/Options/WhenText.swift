import ArgumentParser
import CameraClient
import Words

/// What `--when` takes.
enum WhenText {
  static func parse(_ text: String) throws -> CaptureTime {
    if text == "now" { return .now }
    if text == "next" { return .next }
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { throw mistake }
    switch parts[0] {
    case "past": return .past(try duration(parts[1]))
    case "within": return .noOlderThan(try duration(parts[1]))
    case "at": return try moment(parts[1])
    default: throw mistake
    }
  }

  private static func moment(_ text: Substring) throws -> CaptureTime {
    if text.hasPrefix("+") {
      return .atWall(.now + (try duration(text.dropFirst())))
    }
    guard let time = CaptureTime.at(String(text)) else {
      throw ValidationError(
        "'\(text)' is no moment: write it as 2026-11-21T09:07:07.25Z, or +0.5s for half a second from now"
      )
    }
    return time
  }

  private static func duration(_ text: Substring) throws -> Duration {
    guard let duration = DurationText.parse(text) else {
      throw ValidationError("'\(text)' is no duration of at most a day: write 0.2s or 200ms")
    }
    return duration
  }

  private static var mistake: ValidationError {
    ValidationError(
      "write now, next, past:0.2s, within:0.5s, at:+0.5s or at:2026-11-21T09:07:07.25Z")
  }
}
