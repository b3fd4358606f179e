import OperatingSystem

/// Writes down what a try to get a camera does, step by step, for a person to read.
struct AttemptRecord {
  private let began: MonotonicTime
  private var done: [String] = []
  private var current: String?

  init(at now: MonotonicTime) {
    began = now
  }

  /// A step as it is asked for: "open /dev/video0".
  mutating func begin(_ step: String) {
    current = step
  }

  /// The step as it came out: "opened /dev/video0".
  mutating func did(_ step: String) {
    done.append(step)
    current = nil
  }

  /// How far the try has come; a step that was begun and is not done has failed.
  var attempt: Attempt {
    let steps = done + (current.map { ["failed to \($0)"] } ?? [])
    return Attempt(time: began, summary: steps.joined(separator: ", "))
  }
}

/// A try that failed.
struct FailedAttempt: Error {
  var cause: CaptureError
  var attempt: Attempt
}
