import Logging

/// Writes each event of the log as one line: message, metadata.
struct LineLogHandler: LogHandler {
  var logLevel = Logger.Level.warning
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
