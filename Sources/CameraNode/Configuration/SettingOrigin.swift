/// Where a setting was written. Messages about the setting begin with it.
package enum SettingOrigin: Hashable, Sendable {
  /// An option of the command line, without its dashes.
  case option(String)
  /// A key of a configuration file.
  case file(path: String, line: Int, key: String)

  /// The error for a wrong value.
  /// - Parameter sentence: What is wrong and how to correct it. It continues the setting's name.
  func mistake(_ sentence: String) -> ConfigurationError {
    switch self {
    case .option(let option): error("--\(option) \(sentence)")
    case .file(_, _, let key): error("'\(key)' \(sentence)")
    }
  }

  /// An error at this place, where the message says by itself what it is about.
  func error(_ message: String) -> ConfigurationError {
    switch self {
    case .option: ConfigurationError(message)
    case .file(let path, let line, _):
      ConfigurationError("\(path):\(line): \(message)", isInFile: true)
    }
  }

  /// How to switch on another setting at the place where this one is written.
  func switchingOn(_ setting: String) -> String {
    switch self {
    case .option: "say --\(setting)"
    case .file: "set \(setting): true"
    }
  }
}
