import Logging
import OperatingSystem

/// Writes each event of the log as one line: message, metadata.
struct LineLogHandler: LogHandler {
  /// The lowest level of all logs.
  static let level = Mutex(Logger.Level.warning)

  var logLevel: Logger.Level {
    get { Self.level.withLock { $0 } }
    set { Self.level.withLock { $0 = newValue } }
  }
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var facts = metadata.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { facts["error"] = "\(error)" }
    let words = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    ErrorLog.log("\(event.message)\(words.joined())", level: event.level)
  }
}
