import ArgumentParser
import CameraClient
import Words

extension AssetsCommand {
  struct Verify: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads the files of photos and movies and compares them with what was stored.",
      discussion: """
        The node goes on storing meanwhile; control-C ends it. Its status is 1 if a file is missing or has other bytes.
        Missing ones may come back with camctl assets repair.
        """
    )

    @OptionGroup var options: BusOptions

    @Option(
      name: .customLong("tag"),
      help: ArgumentHelp(
        "Only those that have this tag; with several, all of them.", valueName: "TAG"),
      transform: TagText.parse)
    var tagLists: [[String]] = []

    @Option(
      help: ArgumentHelp(
        "Only those from this moment on: \(MomentText.forms).", valueName: "MOMENT"),
      completion: .ages, transform: MomentText.parse)
    var since: WallInstant?

    private var tags: Set<String> { Set(TagText.joined(tagLists)) }

    func validate() throws {
      try RequestRules.check { () throws(CameraBusError) in
        try CameraBus.verifyRequest(camera: nil, tags: tags, since: since)
      }
    }

    func run(on bus: CameraBus) async throws {
      let bar = UpkeepBar(options)
      let result: LibraryVerification
      do {
        defer { bar.clear() }
        result = try await bus.verify(
          camera: options.camera, tags: tags, since: since,
          timeout: options.chosenTimeout ?? UpkeepBar.longest, onProgress: bar.show)
      }
      if options.json {
        JSONLine.print(result)
      } else {
        if !result.flawed.isEmpty { AssetTable.print(result.flawed[...]) }
        StandardOutput.write(
          line: "\(result.intact) intact, \(result.missing) missing, \(result.changed) changed, "
            + result.bytes.byteWords)
      }
      if let words = try await bus.status().library.unlistedWords, !options.json {
        StandardOutput.write(line: words, style: .warning)
      }
      guard !result.isIntact else { return }
      throw CameraBusError(
        .assetDamaged,
        "\(result.missing) files are missing and \(result.changed) are changed: put the originals back, try camctl "
          + "assets repair, or delete the assets")
    }
  }

  struct Repair: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists files that the library does not know, and finds missing ones again.",
      discussion: """
        After the index of the library was lost or damaged, this lists the files again that have names of the node, \
        with the name and tags that they were made with; movies say their name only. They are taken as they are: \
        nobody knows what bytes they had. Files that are missing are found by their bytes in the folders of other \
        days and cameras (CAMERA/DAY/), and movies that could not be completed are tried again. No file is deleted or \
        overwritten, and files with names of your own, or in other folders, stay as they are.
        """
    )

    @OptionGroup var options: BusOptions

    @Flag(help: "Also remove entries whose files are gone; protected ones stay.")
    var dropMissing = false

    func run(on bus: CameraBus) async throws {
      let bar = UpkeepBar(options)
      let result: LibraryRepair
      do {
        defer { bar.clear() }
        result = try await bus.repair(
          droppingMissing: dropMissing, timeout: options.chosenTimeout ?? UpkeepBar.longest,
          onProgress: bar.show)
      }
      if options.json { return JSONLine.print(result) }
      var table = Table("", "ASSET", "FILE")
      for change in result.changes where change.kind != .left {
        table.add(change.kind.rawValue, change.asset?.id.short ?? "-", change.path)
      }
      if result.changes.contains(where: { $0.kind != .left }) { table.print() }
      for change in result.changes where change.kind == .left {
        StandardOutput.write(line: "left: \(change.problem?.message ?? change.path)")
      }
      StandardOutput.write(
        line:
          "\(result.adopted) adopted, \(result.found) found again, \(result.recovered) recovered, "
          + "\(result.dropped) dropped, \(result.left) left")
    }
  }
}

/// Shows how much of long work on the library is done.
private struct UpkeepBar {
  /// The node works as long as it takes, unless --timeout says another time.
  static let longest = Duration.seconds(86_000)

  private let bar: ProgressBar

  init(_ options: BusOptions) {
    bar = ProgressBar("library", isWanted: options.isTalkative)
  }

  func show(_ progress: LibraryProgress) {
    let fraction =
      progress.totalBytes.map { Double(progress.doneBytes) / Double($0) }
      ?? (progress.total == 0 ? 0 : Double(progress.done) / Double(progress.total))
    bar.show(
      fraction, "\(progress.done) of \(progress.total), \(progress.doneBytes.byteWords)")
  }

  func clear() { bar.clear() }
}
