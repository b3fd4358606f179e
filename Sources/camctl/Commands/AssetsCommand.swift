import ArgumentParser
import CameraClient

/// Looks after the photos and movies of the library.
struct AssetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assets",
    abstract: "Lists, tags, verifies and repairs photos and movies of the node's library.",
    discussion: """
      camctl assets --tag night lists what has a tag, which camctl capture --tag and record --tag give, and camctl \
      assets tag changes afterwards. camctl assets list --help says how to choose.
      """,
    subcommands: [List.self, Tag.self, Verify.self, Repair.self],
    defaultSubcommand: List.self
  )

  struct List: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists photos and movies, newest first."
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

  struct Tag: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes the names and tags of photos and movies.",
      discussion: """
          camctl assets tag 0a1b2c3d --add garden,night --remove test
          camctl assets tag 0a1b2c3d --name "At the gate"    --name '' takes it away

        The files stay as they are: they say the name and the tags that they were made with.
        """
    )

    @OptionGroup var options: BusOptions

    @Argument(
      help: ArgumentHelp("The ids, as `camctl assets` shows them.", valueName: "ASSET"),
      completion: .assets)
    var assets: [String]

    @Option(
      help: ArgumentHelp("The name that all of them get; '' takes it away.", valueName: "NAME"))
    var name: String?

    @Option(
      help: ArgumentHelp(
        "A tag that all of them get; several with commas, or one --add each.", valueName: "TAG"),
      transform: TagText.parse)
    var add: [[String]] = []

    @Option(
      help: ArgumentHelp("A tag that all of them lose; likewise.", valueName: "TAG"),
      transform: TagText.parse)
    var remove: [[String]] = []

    func validate() throws {
      guard name != nil || !add.isEmpty || !remove.isEmpty else {
        throw ValidationError("say what to change: --name, --add or --remove")
      }
      try RequestRules.check { () throws(CameraBusError) in
        CameraBus.tagRequest(
          name: name, adding: TagText.joined(add), removing: TagText.joined(remove))
      }
    }

    func run(on bus: CameraBus) async throws {
      let ids = try await AssetText.assets(assets, of: bus).map(\.id)
      let changes = try await bus.tag(
        ids, name: name, adding: TagText.joined(add), removing: TagText.joined(remove))
      try AssetChanges("tagged", changes).report(asJSON: options.json)
    }
  }
}
