import ArgumentParser
import CameraClient

/// Protects photos and movies from deletion.
struct ProtectCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "protect",
    abstract: "Protects photos and movies of the node's library from deletion."
  )

  @OptionGroup var options: BusOptions

  @Argument(
    help: ArgumentHelp("The ids, as `camctl assets` shows them.", valueName: "ASSET"),
    completion: .assets)
  var assets: [String]

  @Flag(help: "End the protection.") var off = false

  func run(on bus: CameraBus) async throws {
    let ids = try await AssetText.assets(assets, of: bus).map(\.id)
    let changes = try await bus.protect(ids, !off)
    try AssetChanges(off ? "no longer protected" : "protected", changes)
      .report(asJSON: options.json)
  }
}
