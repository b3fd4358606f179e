import ArgumentParser
import OperatingSystem

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

  /// What other programs call such verbs.
  private static let synonyms = [
    ["list", "ls"], ["delete", "remove", "revoke", "rm", "del"],
    ["add", "authorize", "new", "create"], ["change", "set", "edit"], ["rename", "mv", "move"],
    ["show", "get", "print", "view", "display", "preview"],
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
