/// The options that every command has may stand anywhere on the line: before the command, between
/// it and its own command, or behind both.
///
/// The parser knows them behind the last command only, so they are moved there first.
enum CommonOptions {
  private static let withValue = ["--node", "--camera", "--timeout"]
  private static let flags = ["--json"]

  /// The arguments with the common options last, in their order; what follows `--` stays as it is.
  static func last(_ arguments: [String]) -> [String] {
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
}
