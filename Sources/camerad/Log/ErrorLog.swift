import Glibc
import Logging
import OperatingSystem

/// The standard error, for the log and for the error that ends the program.
///
/// Where it leads to the systemd journal, each line has a priority in front, as sd-daemon(3)
/// describes, and neither a time nor the program's name, because the journal adds both.
enum ErrorLog {
  /// Whether the journal reads the standard error: systemd then sets `JOURNAL_STREAM` to its device
  /// and inode (systemd.exec(5)).
  static let isJournal: Bool = {
    guard let value = unsafe getenv("JOURNAL_STREAM"),
      let error = try? FileStatus(descriptor: STDERR_FILENO)
    else { return false }
    return unsafe String(cString: value) == error.identity.deviceAndInode
  }()

  static func handler(label: String, level: Logger.Level) -> any LogHandler {
    var handler: any LogHandler =
      isJournal ? JournalLogHandler() : StreamLogHandler.standardError(label: label)
    handler.logLevel = level
    return handler
  }

  /// Writes the text as one line. Line feeds in it become spaces.
  static func write(line text: String, level: Logger.Level) {
    let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let prefix = isJournal ? "<\(level.journalPriority)>" : "camerad: "
    // Where nobody can read the standard error, the program goes on without a log.
    unsafe try? FileDescriptor.write(
      Array("\(prefix)\(text)\n".utf8).span.bytes, to: STDERR_FILENO, at: "standard error")
  }
}

extension Logger.Level {
  /// The priority of syslog(3).
  fileprivate var journalPriority: Int32 {
    switch self {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }
}
