import ArgumentParser
import CameraClient
import Words

/// A moment in the past as people write it: "2026-11-21T09:07:07Z", the day "2026-11-21" in UTC, or
/// how long ago, such as "90min" or "7d".
enum MomentText {
  /// What the options that take a moment say about it.
  static let forms =
    "2026-11-21T09:07:07Z, 2026-11-21, or how long ago, such as 10min, 2h or 7d; without a unit, seconds"

  static func parse(_ text: String) throws -> WallInstant {
    if let moment = WallInstant(text) ?? WallInstant("\(text)T00:00:00Z") { return moment }
    guard let age = age(text) else {
      throw ValidationError(
        "'\(text)' is no moment: write 2026-11-21T09:07:07Z, 2026-11-21, or how long ago, such as 2h or 7d"
      )
    }
    return max(WallInstant(nanoseconds: 0), .now - age)
  }

  private static func age(_ text: String) -> Duration? {
    guard text.hasSuffix("d") else { return DurationText.parse(text) }
    guard let days = Double(text.dropLast()), (0...36_500).contains(days) else { return nil }
    return .seconds(86_400) * days
  }
}
