package import Logging

/// The lowest level that is logged.
package enum LogLevel: String, CaseIterable, Sendable {
  case trace, debug, info, warning, error

  package var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
