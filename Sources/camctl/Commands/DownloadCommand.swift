import ArgumentParser
import CameraClient

/// Lists and downloads photos and movies of the library.
struct DownloadCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Lists and fetches photos and movies of the node's library.",
    discussion: """
        camctl download 0a1b2c3d             one asset, by the first digits of its id
        camctl download --latest -o -        the newest one, to the standard output
        camctl download --since 2h -o DIR    all from the last two hours
      """
  )

  /// The most that a node lists in one reply.
  private static let mostAssets = 1000

  @OptionGroup var options: BusOptions

  @Argument(
    help: ArgumentHelp(
      "The asset's id, as --list shows it, or its first digits.", valueName: "ASSET"),
    completion: .assets)
  var asset: String?

  @Flag(help: "Fetch the newest one; with --camera, of that camera.")
  var latest = false

  @Flag(help: "Fetch all; with --camera, of that camera.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Fetch all from this moment on: 2026-11-21T09:07:07Z, 2026-11-21, or how long ago, such as 2h or 7d.",
      valueName: "MOMENT"),
    transform: MomentText.parse
  )
  var since: Int64?

  @Flag(help: "List what there is, newest first.")
  var list = false

  @Option(help: ArgumentHelp("How many to list, at most 1000.", valueName: "N"))
  var limit = 100

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to; default: here.", valueName: "PATH"),
    completion: .file())
  var output: String?

  @OptionGroup var existing: OverwriteOption

  @Flag(help: "With --output -, write to a terminal too.")
  var force = false

  func validate() throws {
    let choices = [asset != nil, latest, all || since != nil, list]
    guard choices.count(where: \.self) == 1 else {
      throw ValidationError("name one asset, or say one of --latest, --all, --since and --list")
    }
    guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000") }
    guard output == "-" else { return }
    if options.json {
      throw ValidationError("--json and --output - cannot share the standard output: name a file")
    }
    if all || since != nil {
      throw ValidationError("--output - is for one asset: name a folder")
    }
    if StandardOutput.isTerminal, !force {
      throw ValidationError("the standard output is a terminal: name a file, or say --force")
    }
  }

  func run(on bus: CameraBus) async throws {
    if list {
      return show(try await bus.assets(ofCamera: options.camera, limit: limit))
    }
    let assets = try await chosen(from: bus)
    let output = try OutputPattern(
      output, count: assets.count, overwrites: existing.overwrite)
    let download = LibraryDownload(options)
    guard assets.count > 1 else {
      return try await download.fetch(assets[0], from: bus, to: output)
    }
    try await download.fetch(assets, from: bus, to: output)
  }

  /// The assets to fetch, oldest first: at least one.
  private func chosen(from bus: CameraBus) async throws -> [Asset] {
    if let asset { return [try await AssetText(asset).asset(of: bus)] }
    let found = try await bus.assets(ofCamera: options.camera, limit: latest ? 1 : Self.mostAssets)
    let chosen = found.filter { $0.createdWallNanoseconds >= since ?? .min }
    guard !chosen.isEmpty else {
      throw CameraBusError(
        .noSuchAsset,
        since == nil
          ? "the library has nothing\(options.camera.map { " of \($0)" } ?? "") yet"
          : "the library has nothing from that moment on: camctl download --list shows what it has")
    }
    if chosen.count == Self.mostAssets {
      options.note("only the newest \(Self.mostAssets) are fetched", style: .warning)
    }
    return chosen.reversed()
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
