import CameraClient
import OperatingSystem
import Words

/// Downloads assets from the library to the place that `--output` names, and prints the result.
struct LibraryDownload {
  private let options: BusOptions

  init(_ options: BusOptions) {
    self.options = options
  }

  /// A file here that has the bytes of an asset.
  struct File {
    var path: String
    /// Whether it was here before.
    var wasHere = false
  }

  /// Fetches several assets, and goes on without those whose files are gone or damaged.
  func fetch(_ assets: [Asset], from bus: CameraBus, to output: OutputPattern) async throws {
    var (failed, here) = (0, 0)
    for (index, asset) in assets.enumerated() {
      do {
        let file = try await fetch(
          asset, from: bus, to: output, number: index + 1, of: assets.count)
        if file?.wasHere == true { here += 1 }
      } catch let error as CameraBusError
        where error.code == .noSuchAsset || error.code == .assetDamaged
      {
        failed += 1
        options.note("camctl: \(error.message)", style: .warning)
      }
    }
    if here > 0 { options.note("\(here) of \(assets.count) were here before, with the same bytes") }
    guard failed > 0 else { return }
    throw CameraBusError(
      .assetDamaged,
      "\(failed) of \(assets.count) could not be fetched because their files are gone or damaged; the others are here"
    )
  }

  /// - Returns: Nil for the standard output.
  @discardableResult
  func fetch(
    _ asset: Asset,
    from bus: CameraBus,
    to output: OutputPattern,
    number: Int = 1,
    of count: Int = 1
  ) async throws -> File? {
    if output.isStandardOutput {
      try await bus.download(asset) { StandardOutput.writeOrEnd($0) }
      return nil
    }
    let file = try await download(asset, from: bus, to: output, number: number, of: count)
    if options.json {
      JSONLine.print(Fetched(asset: asset, file: file.path, wasHere: file.wasHere))
    } else {
      let words = asset.byteCount.byteWords + (file.wasHere ? ", was here before" : "")
      StandardOutput.write(path: file.path, options.quiet ? nil : words)
    }
    return file
  }

  /// Fetches an asset, unless a file with its bytes has the name already.
  func download(
    _ asset: Asset,
    from bus: CameraBus,
    to output: OutputPattern,
    number: Int = 1,
    of count: Int = 1
  ) async throws -> File {
    let name = asset.fileName
    if output.isStandardOutput {
      throw CommandFailure.usage("a movie goes to a file: name one, or a folder")
    }
    let bar = ProgressBar(
      count > 1 ? "\(number) of \(count): \(name)" : name, isWanted: options.isTalkative)
    defer { bar.clear() }
    options.remark("fetching \(asset.id), \(asset.byteCount.byteWords)")
    let kind = MediaType(rawValue: asset.mediaType)
    let facts = OutputName.Facts(
      camera: asset.camera, time: asset.created.words, requestID: asset.requestID, number: number,
      fileExtension: kind?.fileExtension)
    var wasHere = false
    let path = try await output.write(facts, name: name) { path, overwrites in
      try kind?.requireExtension(of: path)
      wasHere = try await asset.isFile(at: path)
      guard !wasHere else {
        return options.remark("\(path) has the SHA-256 \(asset.sha256) already")
      }
      try await bus.download(asset, to: path, overwrites: overwrites) { progress in
        bar.show(
          progress.fraction,
          "\(progress.byteCount.byteWords) of \(progress.total.byteWords)"
        )
      }
      options.remark("\(path) has the SHA-256 of the library's file, \(asset.sha256)")
    }
    return File(path: path, wasHere: wasHere)
  }

  /// What `download --json` prints.
  private struct Fetched: Encodable {
    var asset: Asset
    var file: String
    var wasHere: Bool
  }
}
