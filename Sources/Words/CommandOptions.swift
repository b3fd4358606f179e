import OperatingSystem

/// The options of a command, decoded from the help that the parser dumps. They find those that are
/// given twice: a parser would take the last one and say nothing.
package struct CommandOptions: Decodable {
  private struct Command: Decodable {
    var arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      var word: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    var kind: String
    var isRepeating: Bool
    var names: [Name]?
  }

  private enum CodingKeys: CodingKey {
    case command
  }

  /// The names of all options and flags: "--camera", "-o".
  package let names: [String]
  /// The options that take a value, each with all its names.
  private let options: [(names: Set<String>, isRepeating: Bool)]

  package init(from decoder: any Decoder) throws {
    let command = try decoder.container(keyedBy: CodingKeys.self)
      .decode(Command.self, forKey: .command)
    let arguments = command.arguments ?? []
    names = arguments.flatMap { ($0.names ?? []).map(\.word) }
    options = arguments.filter { $0.kind == "option" }.map {
      (Set(($0.names ?? []).map(\.word)), $0.isRepeating)
    }
  }

  /// What to say about the first option that is given twice and takes one value; nil if there is
  /// none.
  package func repetition(in arguments: [String]) -> String? {
    var given: [Int: String] = [:]
    var index = 0
    while index < arguments.count, arguments[index] != "--" {
      let word = arguments[index]
      index += 1
      let name = String(word.prefix { $0 != "=" })
      guard let option = options.firstIndex(where: { $0.names.contains(name) }) else { continue }
      if name == word { index += 1 }
      if options[option].isRepeating { continue }
      if let before = given[option] {
        return before == name
          ? "\(name) takes one value and is given twice: leave one out"
          : "\(before) and \(name) are the same option, which takes one value: leave one out"
      }
      given[option] = name
    }
    return nil
  }
}

/// Words that people try when they want to know a program's version or how to use it.
package enum GuessedOption {
  /// The option that such a word stands for.
  package static func option(for word: String) -> String? {
    switch word {
    case "version", "ver", "-V", "-version", "about": "--version"
    case "usage", "man", "manual", "-?", "/?", "?": "--help"
    default: nil
    }
  }

  /// What to say about the first word behind the program's name; nil if it is no such word.
  package static func mistake(in arguments: [String], of program: String) -> String? {
    guard let word = arguments.first, let option = option(for: word) else { return nil }
    return "there is no '\(program) \(word)': did you mean '\(program) \(option)'?"
  }
}

/// The words of the command line as the system gives them, which may be any bytes.
package enum ArgumentText {
  /// What is wrong with an argument that is no text. Swift would replace its bytes, and a path
  /// would then be that of another file.
  package static var mistake: String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      let shown = unsafe UserCharacters.printable(String(cString: argument))
      return
        "'\(shown)' is not in UTF-8, and another file would be meant: give the file or folder a name in UTF-8"
    }
    return nil
  }
}
