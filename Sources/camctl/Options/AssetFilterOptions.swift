import ArgumentParser
import CameraClient

/// Which assets are meant, beside `--camera`.
struct AssetFilterOptions: ParsableArguments {
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case photo, movie
  }

  enum DeferralKind: String, CaseIterable, ExpressibleByArgument {
    case pending, done, failed
  }

  @Option(help: ArgumentHelp("Only photos, or only movies.", valueName: "KIND")) var kind: Kind?

  @Option(
    help: ArgumentHelp("Only those that this request made, such as a burst.", valueName: "ID"),
    transform: RequestText.parse)
  var request: Identifier?

  @Option(
    help: ArgumentHelp(
      "Only from this moment on: \(MomentText.forms).",
      valueName: "MOMENT"
    ),
    completion: .ages, transform: MomentText.parse
  )
  var since: WallInstant?

  @Option(
    help: ArgumentHelp("Only from before this moment.", valueName: "MOMENT"),
    completion: .ages, transform: MomentText.parse
  )
  var until: WallInstant?

  @Option(
    help: ArgumentHelp(
      "Only proxies whose final photo is still to come, is there, or cannot be made: pending, done or failed.",
      valueName: "STATE"))
  var deferral: DeferralKind?

  @Option(help: ArgumentHelp("Only those with exactly this name.", valueName: "NAME"))
  var name: String?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Only those that have this tag; with several, all of them.", valueName: "TAG"),
    transform: TagText.parse)
  var tagLists: [[String]] = []

  func validate() throws {
    if name == "" { throw ValidationError("--name is not empty: leave it out for any name") }
    if let since, let until, since >= until {
      throw ValidationError("--since is a moment before --until")
    }
  }

  func filter(camera: String?) -> AssetFilter {
    let kind: AssetFilter.Kind? =
      switch kind {
      case .photo: .photo
      case .movie: .movie
      case nil: nil
      }
    return AssetFilter(
      camera: camera, requestID: request, kind: kind, since: since, until: until,
      deferral: deferral.map { Deferral(rawValue: $0.rawValue) },
      name: name, tags: Set(TagText.joined(tagLists)))
  }
}
