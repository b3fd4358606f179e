/// The pauses between attempts to start a camera. They double from a quarter of a second to ten
/// seconds.
package struct Backoff: Hashable, Sendable {
  /// The first pause. All values are in nanoseconds.
  package var first: Int64 = 250_000_000
  package var longest: Int64 = 10_000_000_000
  /// How long a camera that came back must deliver before it counts as running steadily.
  package var steady: Int64 = 5_000_000_000

  package init() {}

  /// The pause after this many attempts have failed.
  func pause(afterTries tries: Int) -> Int64 {
    min(longest, first << Int64(min(max(0, tries), 16)))
  }

  /// How long a camera that needed so many attempts must deliver before the pauses start again at
  /// the shortest. At least the last pause, so that a camera that fails soon after each start is
  /// not started ever faster.
  func steadiness(afterTries tries: Int) -> Int64 {
    max(steady, pause(afterTries: tries))
  }
}
