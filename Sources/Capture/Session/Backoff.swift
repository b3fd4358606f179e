/// The pauses between attempts to start a camera. They double from a quarter of a second to ten
/// seconds.
package struct Backoff: Hashable, Sendable {
  package var first = Duration.milliseconds(250)
  package var longest = Duration.seconds(10)
  /// How long a camera that came back must deliver before it counts as running steadily.
  package var steady = Duration.seconds(5)

  package init() {}

  /// The pause after this many attempts have failed.
  func pause(afterTries tries: Int) -> Duration {
    min(longest, first * (1 << min(max(0, tries), 16)))
  }

  /// How long a camera that needed so many attempts must deliver before the pauses start again at
  /// the shortest. At least the last pause, so that a camera that fails soon after each start is
  /// not started ever faster.
  func steadiness(afterTries tries: Int) -> Duration {
    max(steady, pause(afterTries: tries))
  }
}
