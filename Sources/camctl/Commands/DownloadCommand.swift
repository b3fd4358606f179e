import ArgumentParser
import CameraClient

/// Downloads photos and movies of the library.
struct DownloadCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Fetches photos and movies of the node's library.",
    discussion: """
        camctl download 0a1b2c3d             one asset, by the first digits of its id
        camctl download --latest -o -        the newest one, to the standard output
        camctl download --since 2h -o DIR    all from the last two hours
        camctl download --request ID         all that a request made, such as a burst

      --request leaves out proxies (camctl capture --deferred) and fetches their final photos. While some are still \
      to be made it fetches the others, says so, and its status is 75; with --wait it waits for them. A proxy whose \
      final photo cannot be made is fetched instead. --all and --since fetch all that there is, proxies too.
      A file that is here already with the bytes of the asset is left as it is and told, so the same command may be \
      repeated to fetch what is new. Another file of the name stays too: in a folder the new one gets a number, \
      NAME-2.jpg.
      """
  )

  @OptionGroup var options: BusOptions

  @Argument(
    help: ArgumentHelp(
      "The asset's id, as `camctl assets` shows it, or its first digits.", valueName: "ASSET"),
    completion: .assets)
  var asset: String?

  @Flag(help: "Fetch the newest one; with --camera, of that camera.")
  var latest = false

  @Flag(help: "Fetch all; with --camera, of that camera.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Fetch all from this moment on: \(MomentText.forms).",
      valueName: "MOMENT"),
    completion: .ages, transform: MomentText.parse
  )
  var since: WallInstant?

  @Option(
    help: ArgumentHelp("Fetch all that this request made.", valueName: "ID"),
    transform: RequestText.parse)
  var request: Identifier?

  @Flag(help: "With --request, wait for final photos that are still to be made.")
  var wait = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write; default: this folder.", valueName: "PATH"),
    completion: .file())
  var output: String?

  @OptionGroup var existing: OverwriteOption

  @Flag(help: "With --output -, write to a terminal too.")
  var force = false

  func validate() throws {
    let choices = [asset != nil, latest, all || since != nil, request != nil]
    guard choices.count(where: \.self) == 1 else {
      throw ValidationError("name one asset, or say one of --latest, --all, --since and --request")
    }
    if wait, request == nil {
      throw ValidationError("--wait is for the photos of one request: give --request too")
    }
    guard OutputPattern.isStandardOutput(output) else { return }
    if options.json {
      throw ValidationError("--json and --output - cannot share the standard output: name a file")
    }
    if all || since != nil || request != nil {
      throw ValidationError("--output - is for one asset: name a folder")
    }
    if StandardOutput.isTerminal, !force {
      throw ValidationError("the standard output is a terminal: name a file, or say --force")
    }
  }

  func run(on bus: CameraBus) async throws {
    if wait, let request { try await bus.awaitFinalPhotos(of: request, options.chosenTimeout) }
    var assets = try await chosen(from: bus)
    let requested = request == nil ? nil : RequestedAssets(assets)
    if let requested { assets = requested.fetched }
    if assets.isEmpty { try requested?.requireAll() }
    let output = try OutputPattern(
      output, count: assets.count, overwrites: existing.overwrite)
    guard !output.namesFrames else {
      throw CommandFailure.usage(
        "the library does not list the frames of its photos: leave {frame} out; %d numbers the files"
      )
    }
    if assets.count > 1, let stream = output.stream {
      throw CommandFailure.usage(
        "\(stream) is a device or a pipe, which is for one asset: name a folder")
    }
    let download = LibraryDownload(options)
    if assets.count > 1 {
      try await download.fetch(assets, from: bus, to: output)
    } else {
      try await download.fetch(assets[0], from: bus, to: output)
    }
    try requested?.requireAll()
  }

  /// The assets to fetch, oldest first: at least one.
  private func chosen(from bus: CameraBus) async throws -> [Asset] {
    if let asset { return [try await AssetText(asset).asset(of: bus)] }
    let filter = AssetFilter(camera: options.camera, requestID: request, since: since)
    let chosen =
      latest ? try await bus.latestAssets(filter) : try await bus.chosenAssets(filter)
    guard !chosen.isEmpty else {
      throw CameraBusError(
        .noSuchAsset,
        request != nil
          ? "the library has nothing of this request"
          : since == nil
            ? "the library has nothing\(options.camera.map { " of \($0)" } ?? "") yet"
            : "the library has nothing from that moment on: camctl assets shows what it has")
    }
    return chosen.reversed()
  }
}

extension CameraBus {
  /// The newest photo or movie, and not the distances that go with a photo.
  fileprivate func latestAssets(_ filter: AssetFilter) async throws -> [Asset] {
    for try await asset in allAssets(filter) where asset.part == nil { return [asset] }
    return []
  }

  /// Waits until the final photos of a request are there, or cannot be made.
  fileprivate func awaitFinalPhotos(of request: Identifier, _ timeout: Duration?) async throws {
    let filter = AssetFilter(requestID: request, deferral: .pending)
    for proxy in try await chosenAssets(filter) {
      do throws(CameraBusError) {
        try await awaitFinalPhoto(of: proxy, timeout: timeout)
      } catch {
        // What the library has then is fetched.
        guard !error.code.isOfWaiting else { throw error }
      }
    }
  }
}
