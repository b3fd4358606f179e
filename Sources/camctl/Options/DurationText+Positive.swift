import ArgumentParser
import Words

extension DurationText {
  /// A duration above 0, for an option.
  static func positive(_ text: String) throws -> Duration {
    guard let duration = parse(text), duration > .zero else {
      throw ValidationError("write a duration of at most a day, such as 5s, 200ms or 1min")
    }
    return duration
  }
}
