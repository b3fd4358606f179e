import CameraClient

/// What became of the assets of a command.
struct AssetChanges {
  private let done: String
  private let changes: [AssetChange]

  /// - Parameter done: What each asset is if it succeeded: "deleted".
  init(_ done: String, _ changes: [AssetChange]) {
    self.done = done
    self.changes = changes
  }

  /// Prints a line for each asset that was changed.
  /// - Throws: The first failure, with the number of all failures.
  func report(asJSON: Bool) throws {
    var failures: [CameraBusError] = []
    for change in changes {
      switch change.outcome {
      case .success(let asset) where asJSON: JSONLine.print(asset)
      case .success(let asset):
        StandardOutput.write(line: "\(asset.id.short) \(done): \(asset.path)")
      case .failure(let error): failures.append(error)
      }
    }
    if changes.isEmpty, !asJSON { StandardOutput.write(line: "no assets to change") }
    guard var error = failures.first else { return }
    if error.code == .conflict { error.message += " (camctl protect --off)" }
    if changes.count > 1 {
      error.message = "\(failures.count) of \(changes.count) assets are unchanged; \(error.message)"
    }
    throw error
  }
}
