/// What one check has found, as one line.
package struct Finding: Hashable, Sendable, Encodable {
  package enum Verdict: String, Sendable, Encodable {
    case ok
    /// It works, but not as well as it could, or not for everybody.
    case warning
    /// Something does not work.
    case problem
  }

  /// What was checked: device, disk, ports, …
  package var check: String
  package var verdict: Verdict
  package var message: String
  /// What to do about it.
  package var remedy: String?

  package static func ok(_ check: String, _ message: String) -> Finding {
    Finding(check: check, verdict: .ok, message: message)
  }

  package static func warning(_ check: String, _ message: String, remedy: String) -> Finding {
    Finding(check: check, verdict: .warning, message: message, remedy: remedy)
  }

  /// - Parameter remedy: Nil if the message says already what to do.
  package static func problem(
    _ check: String, _ message: String, remedy: String? = nil
  ) -> Finding {
    Finding(check: check, verdict: .problem, message: message, remedy: remedy)
  }
}
