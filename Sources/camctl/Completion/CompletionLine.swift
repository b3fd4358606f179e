import ArgumentParser

/// A command line that a shell is completing.
struct CompletionLine {
  private let words: [String]
  private let index: Int

  /// - Parameter index: The word that is completed.
  init(_ words: [String], at index: Int) {
    self.words = words
    self.index = index
  }

  /// The value of an option that stands anywhere on the line, as `--node X` or `--node=X`.
  ///
  /// Bash makes words of their own of `=` and `:`, so they are joined with their neighbours again.
  func value(of option: String) -> String? {
    if let joined = words.first(where: { $0.hasPrefix("\(option)=") }) {
      return String(joined.dropFirst(option.count + 1))
    }
    guard let place = words.firstIndex(of: option), place != index - 1 else { return nil }
    var rest = words[words.index(after: place)...]
    if rest.first == "=" { rest = rest.dropFirst() }
    guard var value = rest.popFirst() else { return nil }
    while let word = rest.popFirst(), word.hasPrefix(":") || value.hasSuffix(":") {
      value += word
    }
    return value
  }

  /// The name in front of `=` in the word that is completed, and whether bash has made words of
  /// their own of the name and `=`.
  func assignedName(before prefix: String) -> (name: String, isSplit: Bool)? {
    if let sign = prefix.firstIndex(of: "="), sign != prefix.startIndex {
      return (String(prefix[..<sign]), false)
    }
    // The word that is completed is `=` itself, or the one behind it.
    for sign in [index, index - 1]
    where words.indices.contains(sign - 1) && words.indices.contains(sign) {
      if words[sign] == "=" { return (words[sign - 1], true) }
    }
    return nil
  }
}

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
