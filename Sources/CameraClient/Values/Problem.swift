/// Something that is wrong, as part of a status or an event.
public struct Problem: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Why, for programs.
  public var code: CameraBusError.Code
  /// One sentence with the remedy.
  public var message: String

  package init(code: CameraBusError.Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension Problem {
  init(_ error: CameraBusError) { self.init(code: error.code, message: error.message) }

  /// A recording that ended before any frame came, and so left no movie.
  static let noFrameRecorded = Problem(
    code: .frameUnavailable, message: "no frame came while it recorded, so there is no movie")
}

extension CameraBusError {
  /// The problem as the error of a request.
  init(_ problem: Problem) {
    self.init(problem.code, problem.message)
  }
}
