import ArgumentParser

/// A shell's question for the words that fit, which the scripts of `camctl completion` ask.
enum Completion {
  static func isWanted(by arguments: [String]) -> Bool { arguments.first == "---completion" }

  /// Prints the words. Without any it prints nothing at all, because an error would land in the
  /// command line that a person is typing.
  /// - Returns: The program's exit status.
  static func answer(_ outcome: any Error) -> Int32 {
    let status = Camctl.exitCode(for: outcome)
    let words = Camctl.fullMessage(for: outcome)
    if status.isSuccess, !words.isEmpty { StandardOutput.write(painted: words) }
    return status.rawValue
  }
}
