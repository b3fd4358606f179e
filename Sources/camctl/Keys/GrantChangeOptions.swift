import ArgumentParser
import Keys

/// What a key may do from now on. What is left out stays.
struct GrantChangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What the key may do: viewer, operator or controller.", valueName: "ROLE"))
  var role: Role?

  @Option(
    name: .customLong("camera"),
    help: ArgumentHelp("Only for this camera; repeatable.", valueName: "NAME"))
  var cameras: [String] = []

  @Flag(help: "For all cameras.") var allCameras = false

  @Option(
    help: ArgumentHelp(
      "From now on for this long, such as 30d or 12h, or never to end.", valueName: "TIME"),
    transform: KeyTerm.parse)
  var expires: KeyTerm?

  @Option(
    help: ArgumentHelp("A note for the list; an empty one removes it.", valueName: "TEXT"))
  var comment: String?

  func validate() throws {
    if allCameras, !cameras.isEmpty {
      throw ValidationError("--camera and --all-cameras contradict each other: leave one out")
    }
    if role == nil, cameras.isEmpty, !allCameras, expires == nil, comment == nil {
      throw ValidationError(
        "say what to change: --role, --camera, --all-cameras, --expires or --comment")
    }
  }

  func apply(to key: AuthorizedKey) throws(CommandFailure) -> AuthorizedKey {
    let kept = allCameras ? nil : key.cameras
    return try CommandFailure.usage { () throws(KeyError) in
      try AuthorizedKey(
        name: key.name, key: key.key, role: role ?? key.role,
        cameras: GrantOptions.names(cameras) ?? kept,
        expiry: expires.map(\.end) ?? key.expiry,
        comment: (comment ?? key.comment).flatMap { $0.isEmpty ? nil : $0 })
    }
  }
}
