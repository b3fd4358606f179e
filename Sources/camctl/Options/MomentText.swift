import ArgumentParser
import FoundationEssentials
import OperatingSystem
import Words

/// A moment in the past as people write it: "2026-11-21T09:07:07Z", the day "2026-11-21" in UTC, or
/// how long ago, such as "90min" or "7d".
enum MomentText {
  /// What the options that take a moment say about it.
  static let forms =
    "2026-11-21T09:07:07Z, 2026-11-21, or how long ago, such as 10min, 2h or 7d; without a unit, seconds"

  /// Nanoseconds since 1970.
  static func parse(_ text: String) throws -> Int64 {
    if let moment = WallTime.nanoseconds(parsing: text) { return moment }
    if let day = WallTime.nanoseconds(parsing: "\(text)T00:00:00Z") { return day }
    guard let age = age(text) else {
      throw ValidationError(
        "'\(text)' is no moment: write 2026-11-21T09:07:07Z, 2026-11-21, or how long ago, such as 2h or 7d"
      )
    }
    let seconds = max(0, Date().timeIntervalSince1970 - age / .seconds(1))
    return Int64(seconds * 1e9)
  }

  private static func age(_ text: String) -> Duration? {
    guard text.hasSuffix("d") else { return DurationText.parse(text) }
    guard let days = Double(text.dropLast()), (0...36_500).contains(days) else { return nil }
    return .seconds(86_400) * days
  }
}
