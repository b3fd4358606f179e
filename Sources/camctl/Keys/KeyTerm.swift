import ArgumentParser
import OperatingSystem
import Words

/// How long a key may be used, as the user writes it: `never` to end, or a time such as 30d.
enum KeyTerm: Equatable {
  case endless
  case seconds(Int64)

  static func parse(_ text: String) throws -> KeyTerm {
    if text == "never" { return .endless }
    let mistake = ValidationError(
      "write a time of a second to a hundred years with its unit, such as 30d, 12h or 10min, or never"
    )
    if text.hasSuffix("d") {
      guard let days = Int64(text.dropLast()), (1...36500).contains(days) else { throw mistake }
      return .seconds(days * 86400)
    }
    guard let time = DurationText.parse(text, needsUnit: true), time >= .seconds(1) else {
      throw mistake
    }
    return .seconds(time.components.seconds)
  }

  /// When it ends if it begins now, in nanoseconds since 1970.
  var end: Int64? {
    guard case .seconds(let seconds) = self else { return nil }
    // Whole seconds, because a certificate says no more.
    return (WallTime.nowNanoseconds / 1_000_000_000 + seconds) * 1_000_000_000
  }
}
