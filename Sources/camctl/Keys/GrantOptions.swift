import ArgumentParser
import Keys
import ZeroMQ

extension Role: ExpressibleByArgument {}

/// What a new key may do.
struct GrantOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What the key may do: viewer, operator or controller.", valueName: "ROLE"))
  var role = Role.operator

  @Option(
    name: .customLong("camera"),
    help: ArgumentHelp("Only for this camera; repeatable.", valueName: "NAME"))
  var cameras: [String] = []

  @Option(
    help: ArgumentHelp("Only for this long, such as 30d or 12h.", valueName: "TIME"),
    transform: KeyTerm.parse)
  var expires: KeyTerm?

  @Option(help: ArgumentHelp("A note for the list.", valueName: "TEXT")) var comment: String?

  func key(_ name: String, _ key: CurvePublicKey) throws(CommandFailure) -> AuthorizedKey {
    try CommandFailure.usage { () throws(KeyError) in
      try AuthorizedKey(
        name: name, key: key, role: role, cameras: Self.names(cameras), expiry: expires?.end,
        comment: comment)
    }
  }

  /// - Returns: Nil for none. Several may be in one argument, separated by commas.
  static func names(_ cameras: [String]) -> Set<String>? {
    let names = cameras.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    return names.isEmpty ? nil : Set(names.map(String.init))
  }
}
