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

  func key(_ name: String, _ key: CurvePublicKey) throws(KeyError) -> AuthorizedKey {
    try AuthorizedKey(
      name: name, key: key, role: role, cameras: cameras.isEmpty ? nil : Set(cameras),
      expiry: expires?.end, comment: comment)
  }
}
