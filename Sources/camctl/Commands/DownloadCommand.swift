import ArgumentParser
import CameraClient

/// Lists and downloads photos and movies of the library.
struct DownloadCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Lists and fetches photos and movies of the node's library."
  )

  @OptionGroup var options: BusOptions

  @Argument(help: ArgumentHelp("The asset's id, as --list shows it.", valueName: "ASSET"))
  var asset: String?

  @Flag(help: "List what there is, newest first.")
  var list = false

  @Option(help: ArgumentHelp("How many to list, at most 1000.", valueName: "N"))
  var limit = 100

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to; default: here.", valueName: "PATH"))
  var output: String?

  func validate() throws {
    if list == (asset != nil) {
      throw ValidationError("name one asset to download, or --list them")
    }
    guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000") }
    if let asset, Identifier(asset) == nil {
      throw ValidationError("'\(asset)' is no asset's id: camctl download --list shows them")
    }
    if output == "-" {
      throw ValidationError("a download goes to a file: name one, or a folder")
    }
  }

  func run(on bus: CameraBus) async throws {
    guard let asset, let id = Identifier(asset) else { return show(try await assets(of: bus)) }
    guard let asset = try await bus.asset(id) else {
      throw CameraBusError(
        .noSuchAsset, "the library has no \(asset): camctl download --list shows what it has")
    }
    try await LibraryDownload(options).fetch(asset, from: bus, to: try OutputPattern(output))
  }

  private func assets(of bus: CameraBus) async throws -> [Asset] {
    try await bus.assets(ofCamera: options.camera, limit: limit)
  }

  private func show(_ assets: [Asset]) {
    if options.json { return assets.forEach { JSONLine.print($0) } }
    var table = Table("ASSET", "CAMERA", "CREATED", "SIZE", "FRAMES", "DURATION", "BYTES", "PATH")
    for asset in assets {
      let isMovie = asset.durationNanoseconds > 0
      table.add(
        "\(asset.id)",
        asset.camera,
        asset.created.words,
        "\(asset.size)",
        isMovie ? "\(asset.frames)" : "",
        isMovie ? asset.durationWords : "",
        asset.byteCount.byteWords,
        asset.path
      )
    }
    table.print()
  }
}

extension Asset {
  /// How long a movie is, and whether it ended well.
  fileprivate var durationWords: String {
    Duration.nanoseconds(durationNanoseconds).words + (isRecovered ? " (recovered)" : "")
  }

  /// When it was taken or began.
  var created: Timestamp {
    Timestamp(monotonicNanoseconds: 0, wallNanoseconds: createdWallNanoseconds)
  }
}
