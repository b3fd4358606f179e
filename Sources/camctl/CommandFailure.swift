import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import Keys
import OperatingSystem
import Words

/// How the program ends when something went wrong: one line on stderr and a status of sysexits.h.
struct CommandFailure: Error {
  /// Why, for programs; part of the JSON form.
  var code: String
  /// One sentence with the remedy.
  var message: String
  var field: String?
  /// Which of the code's causes it is; part of the JSON form.
  var reason: String?
  var isRetryable = false
  /// How many files of a failed request the library has.
  var keptFiles = 0
  var requestID: Identifier?
  /// The error underneath, in its own words.
  var cause: String?
  var status: Int32

  private static let reachingHint =
    " (start a node with `camerad --camera cam=auto`, or name another with --node)"

  private static let overwritingHint = ", or replace it with --overwrite"

  /// Wrong usage.
  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(code: "usage", message: message, status: EX_USAGE)
  }

  /// The user may have no more threads.
  static var noThread: CommandFailure {
    CommandFailure(
      code: "busy",
      message:
        "the system has no thread or descriptor left for camctl: end other programs, or allow more "
        + "(ulimit -u and -n)", status: EX_TEMPFAIL, isRetryable: true)
  }

  /// Runs `body`, whose errors are mistakes in the command.
  static func usage<R>(_ body: () throws(KeyError) -> R) throws(CommandFailure) -> R {
    do throws(KeyError) {
      return try body()
    } catch {
      throw .usage(error.description)
    }
  }

  init(code: String, message: String, status: Int32, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.status = status
    self.isRetryable = isRetryable
  }

  /// Makes a change. If a signal ends the wait for it, the failure says that it may have been made.
  static func ofChange<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async throws -> R {
    do {
      return try await body()
    } catch  where CommandFailure(error).code == "cancelled" {
      throw CommandFailure(
        code: "cancelled",
        message: "interrupted: the change may have been made; look with camctl status",
        status: 130)
    }
  }

  /// - Parameter options: Those of the command that failed, for the remedy.
  init(_ error: any Error, of options: (any NodeOptions)? = nil) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as CameraBusError: self.init(error, of: options)
    case let error as KeyError:
      self.init(code: "key", message: error.description, status: EXIT_FAILURE)
    case is CancellationError:
      self.init(code: "cancelled", message: "interrupted", status: 130)
    default: self.init(parserError: error)
    }
  }

  private init(_ error: CameraBusError, of options: (any NodeOptions)?) {
    code = error.code.rawValue
    message =
      error.code == .cancelled && Interruption.shared.status != nil
      ? "interrupted"
      : Self.unknownHost(error, options) ?? error.message + Self.hint(for: error, of: options)
    field = error.field
    reason = error.reason?.rawValue
    keptFiles = error.keptFiles
    isRetryable = error.isRetryable
    requestID = error.requestID
    cause = error.cause.map { "\($0)" }
    status =
      switch error.code {
      case .unreachable: EX_UNAVAILABLE
      case .cancelled: 130
      case .keyRequired, .notAuthorized, .wrongNode, .forbidden: EX_NOPERM
      default: error.isRetryable ? EX_TEMPFAIL : EXIT_FAILURE
      }
  }

  /// What to say where the name of the node's machine stands for no address.
  private static func unknownHost(_ error: CameraBusError, _ options: (any NodeOptions)?) -> String?
  {
    guard error.code == .unreachable, let options,
      let match = (try? NodeChoice(options.node))?.control.wholeMatch(of: /tcp:\/\/([^\[\]]+):\d+/),
      let problem = HostName.problem(with: String(match.1))
    else { return nil }
    return
      "the name \(match.1) stands for no machine (\(problem)): correct it, or write the machine's address"
  }

  /// The command line's own remedy, which the library does not know.
  private static func hint(for error: CameraBusError, of options: (any NodeOptions)?) -> String {
    switch error.code {
    case .unreachable: reachingHint
    case .fileExists: overwritingHint
    default:
      switch error.reason {
      case .sessionStopped?:
        // It may be another camera that goes with the command's.
        " (camctl session start\((error.camera ?? options?.camera).map { " --camera \($0)" } ?? ""))"
      case .momentAfterDeadline?: " (--timeout, at most 24h)"
      case .recording?: " (camctl record stop, or --end-recording)"
      case .leaseEnded?: " (camctl lease acquire)"
      case .leased?: " (--lease ID; camctl lease release --force)"
      default: ""
      }
    }
  }

  private init(parserError error: any Error) {
    let status = Camctl.exitCode(for: error)
    if let mistake = Verbs.mistake(in: Camctl.arguments) {
      self = .usage(mistake)
    } else if status.isSuccess {
      self.init(code: "help", message: Camctl.fullMessage(for: error), status: EXIT_SUCCESS)
    } else {
      var message = ParserWords.sentence(
        Camctl.message(for: error), options: Verbs.options(of: Camctl.arguments))
      if message.hasSuffix(".") { message.removeLast() }
      self.init(
        code: "usage",
        message: message + (message.hasSuffix("?") ? " See " : ": see ") + Self.helpCommand(error),
        status: status.rawValue)
    }
  }

  /// The command that explains the verb with the mistake. The parser names it in the last line of
  /// its long message only.
  private static func helpCommand(_ error: any Error) -> String {
    let usage = Camctl.fullMessage(for: error)
    guard let match = usage.firstMatch(of: /See '(camctl [^']*--help)' for more/) else {
      return "camctl --help"
    }
    return String(match.1)
  }

  /// - Parameter details: Whether to print what programs see too.
  func report(asJSON: Bool, details: Bool) {
    LiveLine.shared.end()
    if status == EXIT_SUCCESS {
      for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
        StandardOutput.write(line: String(line))
      }
    } else if asJSON {
      StandardError.write(JSONLine.text(of: Report(self)) + "\n")
    } else {
      let line = message.split(whereSeparator: \.isNewline)
        .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
      StandardError.write(line: "camctl: \(line)")
      if details { for line in self.details { StandardError.write(line: "camctl: \(line)") } }
    }
  }

  /// What `--verbose` adds.
  private var details: [String] {
    [
      "code: \(code.separated)", reason.map { "reason: \($0.separated)" },
      field.map { "field: \($0)" },
      requestID.map { "request: \($0)" }, isRetryable ? "the same may succeed later" : nil,
      cause.map { "cause: \($0)" },
    ].compactMap(\.self)
  }

  private struct Report: Encodable {
    struct Contents: Encodable {
      var code: String
      var message: String
      var field: String?
      var reason: String?
      var isRetryable: Bool
      var requestID: Identifier?
    }
    var error: Contents

    init(_ failure: CommandFailure) {
      error = Contents(
        code: failure.code,
        message: failure.message,
        field: failure.field,
        reason: failure.reason,
        isRetryable: failure.isRetryable,
        requestID: failure.requestID
      )
    }
  }
}
