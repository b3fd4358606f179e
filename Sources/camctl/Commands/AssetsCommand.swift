import ArgumentParser
import CameraClient

/// Lists the photos and movies of the library.
struct AssetsCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "assets",
    abstract: "Lists photos and movies of the node's library, newest first."
  )

  @OptionGroup var options: BusOptions
  @OptionGroup var filter: AssetFilterOptions

  @Flag(help: "Only those that are protected from deletion.") var protected = false

  @Option(
    help: ArgumentHelp("How many to list; default: 100.", valueName: "N"),
    transform: PositiveCount.parse)
  var limit: Int?

  @Flag(
    help:
      "List all, however many there are. They come in pages, and --timeout is the time of each page."
  ) var all = false

  func validate() throws {
    if all, limit != nil {
      throw ValidationError("--all and --limit contradict each other: leave one out")
    }
  }

  func run(on bus: CameraBus) async throws {
    var filter = filter.filter(camera: options.camera)
    if protected { filter.isProtected = true }
    if options.json, all {
      for try await asset in bus.allAssets(filter) { JSONLine.print(asset) }
      return
    }
    let limit = all ? Int.max - 1 : limit ?? 100
    // One more than the limit shows whether there are more.
    let assets = try await bus.assets(filter, limit: limit + 1)
    if options.json { return assets.prefix(limit).forEach { JSONLine.print($0) } }
    AssetTable.print(assets.prefix(limit))
    if assets.count > limit {
      StandardError.write(line: "there are more: list them with --all, or with a higher --limit")
    }
  }
}
