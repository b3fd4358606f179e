import Words

extension CaptureTime {
  /// Reads the moment as people write it: `now`, `next`, `past:0.2s`, `within:0.5s`, `at:+0.5s` or
  /// `at:2026-11-21T09:07:07.25Z`.
  ///
  /// - Throws: `invalidArgument` for other texts.
  package init(words text: String) throws(CameraBusError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.dropFirst().first) {
    case ("now", nil): self = .now
    case ("next", nil): self = .next
    case ("past", let rest?): self = .past(try Self.duration(rest))
    case ("within", let rest?): self = .noOlderThan(try Self.duration(rest))
    case ("at", let rest?): self = try Self.moment(rest)
    default:
      throw Arguments.refusal(
        "write now, next, past:0.2s, within:0.5s, at:+0.5s or at:2026-11-21T09:07:07.25Z", "when")
    }
  }

  private static func moment(_ text: Substring) throws(CameraBusError) -> CaptureTime {
    if text.hasPrefix("+") { return .atWall(.now + (try duration(text.dropFirst()))) }
    guard let time = CaptureTime.at(String(text)) else {
      throw Arguments.refusal(
        "'\(text)' is no moment: write it as 2026-11-21T09:07:07.25Z, or +0.5s for half a second from now",
        "when")
    }
    return time
  }

  private static func duration(_ text: Substring) throws(CameraBusError) -> Duration {
    guard let duration = DurationText.parse(text) else {
      throw Arguments.refusal(
        "'\(text)' is no duration of at most a day: write 0.2s or 200ms", "when")
    }
    return duration
  }
}
