import ArgumentParser
import Logging

/// The lowest level that is logged.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case trace, debug, info, warning, error

  var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
