import ArgumentParser
import FoundationEssentials
import Words

/// The verbs of the command line, `session start` for example.
enum Verbs {
  /// What to say about the first verb that does not exist; nil if all verbs are right.
  ///
  /// The parser calls such a verb an unexpected argument and knows no other word for it.
  static func mistake(in arguments: [String]) -> String? {
    if let mistake = GuessedOption.mistake(in: arguments, of: "camctl") {
      return "\(mistake) See camctl --help"
    }
    var command: any ParsableCommand.Type = Camctl.self
    var path = "camctl"
    for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
      let verbs = command.configuration.subcommands
      guard !word.hasPrefix("-"), !verbs.isEmpty else { return nil }
      guard let verb = verbs.first(where: { $0._commandName == word }) else {
        return sentence(for: word, among: verbs.map { $0._commandName }, of: path)
      }
      command = verb
      path += " \(word)"
    }
    return nil
  }

  /// What to say about an option that is given twice; nil if there is none. A wrong verb has no
  /// options.
  static func repeatedOption(in arguments: [String]) -> String? {
    command(of: arguments).flatMap { command, rest in
      options(of: command)?.repetition(in: Array(rest))
    }
  }

  /// The names of the options of the command in these arguments.
  static func options(of arguments: [String]) -> [String] {
    command(of: arguments).flatMap { options(of: $0.command)?.names } ?? []
  }

  private static func options(of command: any ParsableCommand.Type) -> CommandOptions? {
    try? JSONDecoder().decode(CommandOptions.self, from: Data(command._dumpHelp().utf8))
  }

  /// The command that the verbs lead to, and the arguments behind them.
  private static func command(
    of arguments: [String]
  ) -> (command: any ParsableCommand.Type, rest: ArraySlice<String>)? {
    var command: any ParsableCommand.Type = Camctl.self
    var rest = arguments[...]
    while !command.configuration.subcommands.isEmpty {
      let verbs = command.configuration.subcommands
      if let verb = verbs.first(where: { $0._commandName == rest.first }) {
        rest.removeFirst()
        command = verb
      } else if let verb = command.configuration.defaultSubcommand {
        command = verb
      } else {
        return nil
      }
    }
    return (command, rest)
  }

  /// What other programs call such verbs.
  private static let synonyms = [
    ["list", "ls"], ["delete", "remove", "revoke", "rm", "del"],
    ["add", "authorize", "new", "create"], ["change", "set", "edit"], ["rename", "mv", "move"],
    ["show", "get", "print", "view", "display", "preview"],
    ["discover", "find", "search", "browse", "scan"],
  ]

  private static func sentence(for word: String, among verbs: [String], of path: String) -> String {
    let same = synonyms.first { $0.contains(word) } ?? []
    let remedy =
      (same.first(where: verbs.contains) ?? verbs.nearest(to: word)).map {
        "did you mean '\(path) \($0)'? See"
      } ?? "see"
    return "there is no '\(path) \(word)': \(remedy) \(path) --help"
  }
}
