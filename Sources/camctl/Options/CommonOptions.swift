/// Moves the options of every command to where the parser expects them, so that they may stand
/// before the command, before its subcommand, or behind both; so may a negative number behind its
/// option.
///
/// The parser accepts common options behind the last command only, so they are moved there first.
/// It takes `-2` for an option, so `--count -2` becomes `--count=-2`, which it refuses with the
/// right words.
enum CommonOptions {
  private static let withValue = ["--node", "--camera", "--timeout"]
  private static let flags = ["--json", "--quiet", "-q", "--verbose", "-v"]

  /// The arguments with the common options at the end, in their order. Arguments behind `--` stay
  /// where they are.
  static func last(_ arguments: [String]) -> [String] {
    let arguments = joiningNegativeNumbers(arguments)
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var (others, moved): ([String], [String]) = ([], [])
    var index = arguments.startIndex
    while index < end {
      let argument = arguments[index]
      if withValue.contains(argument), index + 1 < end {
        moved += arguments[index...index + 1]
        index += 2
        continue
      }
      let isCommon =
        flags.contains(argument) || withValue.contains { argument.hasPrefix("\($0)=") }
      if isCommon { moved.append(argument) } else { others.append(argument) }
      index += 1
    }
    return others + moved + arguments[end...]
  }

  private static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    for argument in arguments {
      if argument.prefixMatch(of: /-[0-9.]/) != nil, let option = joined.last,
        option.hasPrefix("--"), option.count > 2, !option.contains("=")
      {
        joined[joined.count - 1] = "\(option)=\(argument)"
      } else {
        joined.append(argument)
      }
    }
    return joined
  }
}
