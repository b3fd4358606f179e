import ArgumentParser
import FoundationEssentials
import Keys
import OperatingSystem
import ZeroMQ

extension Role: ExpressibleByArgument {}

/// What a key may do.
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
    transform: Self.seconds)
  var expires: Int64?

  @Option(help: ArgumentHelp("A note for the list.", valueName: "TEXT")) var comment: String?

  func key(_ name: String, _ key: CurvePublicKey) throws(KeyError) -> AuthorizedKey {
    // Whole seconds, because a certificate says no more.
    let now = Int64(Date().timeIntervalSince1970)
    return try AuthorizedKey(
      name: name, key: key, role: role, cameras: cameras.isEmpty ? nil : Set(cameras),
      expiry: expires.map { (now + $0) * 1_000_000_000 }, comment: comment)
  }

  private static func seconds(_ text: String) throws -> Int64 {
    let mistake = ValidationError("write a time with its unit, such as 30d, 12h or 10min")
    if text.hasSuffix("d") {
      guard let days = Int64(text.dropLast()), (1...36500).contains(days) else { throw mistake }
      return days * 86400
    }
    guard let time = DurationText.parse(text, needsUnit: true), time >= .seconds(1) else {
      throw mistake
    }
    return time.components.seconds
  }
}
