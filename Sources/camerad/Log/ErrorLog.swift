import Glibc
import Logging
import OperatingSystem

/// The standard error, for the log and for the error that ends the program.
///
/// Where it leads to the systemd journal, each line has a priority in front, as sd-daemon(3)
/// describes, and neither a time nor the program's name, because the journal adds both. The journal
/// is in UTF-8; for people the characters are those of their locale.
enum ErrorLog {
  /// Whether the journal reads the standard error: systemd then sets `JOURNAL_STREAM` to its device
  /// and inode (systemd.exec(5)).
  static let isJournal: Bool = {
    guard let value = unsafe getenv("JOURNAL_STREAM"),
      let error = try? FileStatus(descriptor: STDERR_FILENO)
    else { return false }
    return unsafe String(cString: value) == error.identity.deviceAndInode
  }()

  private static let outlet = LogOutlet(STDERR_FILENO, name: "standard error")

  /// Writes an event of the log as one line.
  static func log(_ text: String, level: Logger.Level) {
    write(timed(text, level))
  }

  /// Writes the reason why the program ends as one line.
  static func write(line text: String, level: Logger.Level) {
    write(line("camerad: ", text, level))
  }

  private static func write(_ line: String) {
    outlet.write(line) { count in
      timed("\(count) lines of the log were lost, because nobody read them in time", .warning)
    }
  }

  private static func timed(_ text: String, _ level: Logger.Level) -> String {
    line("\(WallTime.now) \(level) camerad: ", text, level)
  }

  /// One line. Line feeds in the text become spaces.
  private static func line(_ prefix: String, _ text: String, _ level: Logger.Level) -> String {
    let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return isJournal
      ? "<\(level.journalPriority)>\(text)" : prefix + UserCharacters.printable(text)
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
