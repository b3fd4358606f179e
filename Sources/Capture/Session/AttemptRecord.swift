import OperatingSystem

/// Records the steps of an attempt to start a camera, in words for people.
struct AttemptRecord {
  private let began: MonotonicTime
  private var done: [String] = []
  private var current: String?

  init(at now: MonotonicTime) {
    began = now
  }

  /// Begins a step: "open /dev/video0".
  mutating func begin(_ step: String) {
    current = step
  }

  /// Ends a step with its outcome: "opened /dev/video0".
  mutating func did(_ step: String) {
    done.append(step)
    current = nil
  }

  /// The attempt so far. A step that was begun and has not ended counts as failed.
  var attempt: Attempt {
    let steps = done + (current.map { ["failed to \($0)"] } ?? [])
    return Attempt(time: began, summary: steps.joined(separator: ", "))
  }
}

/// An attempt that failed.
struct FailedAttempt: Error {
  var cause: CaptureError
  var attempt: Attempt
}
