import CameraClient

/// The problem of a camera, and what the node does about it.
struct TroubleWords {
  private let camera: CameraStatus
  private let problem: Problem
  private let now: Timestamp?

  /// Nil where nothing is wrong.
  /// - Parameter now: The node's time; nil if it is not known.
  init?(_ camera: CameraStatus, at now: Timestamp?) {
    guard let problem = camera.error else { return nil }
    self.camera = camera
    self.problem = problem
    self.now = now
  }

  /// "interrupted (device disconnected) for 12.3 s: there is no /dev/video0 …".
  var cause: String {
    let age = now.map { " for \($0.age(of: camera.since))" } ?? ""
    return "\(camera.stateWords)\(age): \(problem.message)"
  }

  /// "tried 3 times, last 1.2 s ago: failed to open /dev/video0; tries again in 2.1 s".
  var remedy: String {
    switch camera.interruption {
    case .suspendedByOperator: "camctl session resume --camera \(camera.name) ends that"
    case .systemPressure: "it comes back by itself when the pressure has fallen"
    default: "\(tries); \(plan)"
    }
  }

  private var tries: String {
    guard let summary = camera.lastAttempt, let moment = camera.lastAttemptTime
    else { return "not tried yet" }
    let ago = now.map { "\($0.age(of: moment)) ago" }
    return camera.attempts == 1
      ? "tried once\(ago.map { ", \($0)" } ?? ""): \(summary)"
      : "tried \(camera.attempts) times, last \(ago ?? "try"): \(summary)"
  }

  private var plan: String {
    guard let moment = camera.nextAttemptTime else { return "no try is planned" }
    guard let now else { return "tries again" }
    let wait = moment - now.monotonic
    return wait > .zero ? "tries again in \(wait.words)" : "tries again now"
  }
}

extension CameraStatus {
  /// "running", "interrupted (device stalled)".
  var stateWords: String {
    interruption.map { "interrupted (\($0.words))" } ?? state.words
  }
}
