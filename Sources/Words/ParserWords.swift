/// The parser's sentences about mistakes, in plain words.
package enum ParserWords {
  /// - Parameters:
  ///   - sentence: What the parser says.
  ///   - options: The options that the command has: "--camera".
  package static func sentence(_ sentence: String, options: [String]) -> String {
    // The values that are allowed may stand in lines of their own.
    let line = sentence.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "-" } }
      .joined(separator: " ")
    if let match = line.firstMatch(of: /^Unknown option '(-+)([^']*)'/) {
      let name = "\(match.1)\(match.2)"
      let nearest = match.1 == "--" ? nearest(to: String(match.2), among: options) : nil
      return "there is no option \(name)" + (nearest.map { ": did you mean \($0)?" } ?? "")
    }
    if let match = line.wholeMatch(of: /Missing value for '(-\S+)(?: <(.*)>)?'/) {
      return "\(match.1) needs a value" + (match.2.map { ", \($0)" } ?? "")
    }
    if let match = line.wholeMatch(of: /Missing expected argument '<(.*)>.*'/) {
      return "\(match.1.uppercased()) is missing"
    }
    if let match = line.wholeMatch(of: /Unexpected argument ('.*')/) {
      return "\(match.1) is one word too many"
    }
    if let match = line.wholeMatch(of: /(\d+) unexpected arguments: (.*)/) {
      return "\(match.2) are \(match.1) words too many"
    }
    if let match = line.wholeMatch(
      of: /The option '(.*)' does not take any value, but '(.*)' was specified\.?/)
    {
      return "\(match.1) takes no value, and '\(match.2)' is one"
    }
    if let match = line.wholeMatch(
      of: /Value to be set with flag '(.*)' had already been set with flag '(.*)'/)
    {
      return "\(match.1) and \(match.2) contradict each other: leave one out"
    }
    if let match = line.wholeMatch(
      of: /The value '(.*)' is invalid for '(\S+)(?: <.*>)?'(?:: |\. Please provide )(.*)/)
    {
      let remedy = match.3.hasPrefix("one of ") ? "write \(match.3)" : "\(match.3)"
      return "\(match.2) is '\(match.1)': \(remedy)"
    }
    if let match = line.wholeMatch(of: /The value '(.*)' is invalid for '(\S+) <(.*)>'\.?/) {
      return "\(match.2) is '\(match.1)', which is no \(match.3)"
    }
    return sentence
  }

  /// The option that a misspelt one probably stands for.
  private static func nearest(to name: String, among options: [String]) -> String? {
    options.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }.nearest(to: name)
      .map { "--\($0)" }
  }
}
