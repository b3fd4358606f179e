import CameraClient

/// Downloads assets from the library to the place that `--output` names, and prints the result.
struct LibraryDownload {
  private let options: BusOptions

  init(_ options: BusOptions) {
    self.options = options
  }

  func fetch(_ asset: Asset, from bus: CameraBus, to output: OutputPattern) async throws {
    let path = try await download(asset, from: bus, to: output)
    if options.json {
      JSONLine.print(Fetched(asset: asset, file: path))
    } else {
      StandardOutput.write(line: options.quiet ? path : "\(path): \(asset.byteCount.byteWords)")
    }
  }

  /// - Returns: The file's path.
  func download(
    _ asset: Asset,
    from bus: CameraBus,
    to output: OutputPattern
  ) async throws -> String {
    let name = asset.path.split(separator: "/").last.map(String.init) ?? "\(asset.id)"
    guard case .file(let path) = output.target(1, name: name) else {
      throw CommandFailure.usage("a movie goes to a file: name one, or a folder")
    }
    let bar = ProgressBar(name, isWanted: options.isTalkative)
    defer { bar.clear() }
    try await bus.download(asset, to: path) { progress in
      bar.show(
        progress.fraction,
        "\(progress.byteCount.byteWords) of \(progress.total.byteWords)"
      )
    }
    options.remark("\(path) has the SHA-256 of the library's file, \(asset.sha256)")
    return path
  }

  /// What `download --json` prints.
  private struct Fetched: Encodable {
    var asset: Asset
    var file: String
  }
}
