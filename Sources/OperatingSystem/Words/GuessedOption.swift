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
