import OperatingSystem

/// How long a camera has been silent. Only time in which the node itself ran counts: a program that
/// was stopped and continued, or got no processor, could not have taken a frame. Pure.
struct Silence {
  /// The looks at the camera until the longest silence allowed is over.
  private static let lookCount = 4

  /// The longest silence allowed.
  private var limit: Duration
  private var begin: MonotonicTime
  /// When to look next.
  private(set) var nextLook: MonotonicTime

  init(limit: Duration, begin: MonotonicTime) {
    self.limit = limit
    self.begin = begin
    nextLook = begin
    plan(after: begin)
  }

  /// Allows another length from now on.
  mutating func set(limit: Duration, at now: MonotonicTime) {
    guard limit != self.limit else { return }
    self.limit = limit
    plan(after: now)
  }

  /// A frame came.
  mutating func interrupt(at time: MonotonicTime) { begin = max(begin, time) }

  /// Looks whether the camera has been silent for too long. A look that comes late by more than
  /// half of the pause between two looks shows that the node stood still. The silence begins again
  /// then, so that the camera has its whole time.
  /// - Returns: The length of the silence if it was too long.
  mutating func look(at now: MonotonicTime) -> Duration? {
    if now - nextLook > limit / Self.lookCount / 2 { begin = now }
    plan(after: now)
    let silence = now - begin
    return silence < limit ? nil : silence
  }

  private mutating func plan(after now: MonotonicTime) {
    nextLook = min(now + limit / Self.lookCount, begin + limit)
  }
}
