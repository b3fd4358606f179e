/// How long to wait between tries to get a camera: pauses double from a quarter of a second to ten seconds.
package struct Backoff: Hashable, Sendable {
  /// Nanoseconds, as all of these.
  package var first: Int64 = 250_000_000
  package var longest: Int64 = 10_000_000_000
  /// How long a camera that came back must deliver, at least, before it counts as mended.
  package var steady: Int64 = 5_000_000_000

  package init() {}

  /// The pause after this many tries in vain.
  func pause(afterTries tries: Int) -> Int64 {
    min(longest, first << Int64(min(max(0, tries), 16)))
  }

  /// How long a camera that needed so many tries must deliver before the pauses begin anew: one that fails again and
  /// again soon after each start is not started ever faster for it.
  func steadiness(afterTries tries: Int) -> Int64 {
    max(steady, pause(afterTries: tries))
  }
}
