import Capture

/// The facts of each frame of a camera that does not say them itself. After a change they are
/// unknown for some frames, because nobody knows which frame is the first that the camera takes in
/// the new way.
struct SettledFacts: Hashable {
  /// Cameras need two or three frames.
  private static let framesToSettle = 10

  /// What the controls say now.
  struct Reading: Hashable, Sendable {
    var facts = FrameFacts()
    /// Counts the changes.
    var changes = 0
  }

  private var last: Reading?
  private var unsettled = 0

  /// The facts of the next frame.
  mutating func next(_ reading: Reading) -> FrameFacts {
    if let last, last.changes != reading.changes { unsettled = Self.framesToSettle }
    last = reading
    guard unsettled > 0 else { return reading.facts }
    unsettled -= 1
    return FrameFacts()
  }
}
