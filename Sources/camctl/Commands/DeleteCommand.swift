import ArgumentParser
import CameraClient

/// Deletes photos and movies.
struct DeleteCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes photos and movies from the node's library for good.",
    discussion: """
      Assets that are protected stay: see `camctl protect`.

        camctl delete 0a1b2c3d          one asset, by the first digits of its id
        camctl delete --until 30d       all from more than 30 days ago
        camctl delete --tag test        all that have a tag
        camctl delete --missing         entries whose files were removed by hand
        camctl delete --deferral done   proxies whose final photos are there

      The final photo of a proxy that is deleted before it is made is not made.
      """
  )

  @OptionGroup var options: BusOptions
  @OptionGroup var filter: AssetFilterOptions

  @Argument(
    help: ArgumentHelp("The ids, as `camctl assets` shows them.", valueName: "ASSET"),
    completion: .assets)
  var assets: [String] = []

  @Flag(help: "All whose files are missing.") var missing = false

  func validate() throws {
    let isFiltered =
      missing || filter.until != nil || filter.request != nil || filter.deferral != nil
      || filter.name != nil || !filter.tagLists.isEmpty
    guard assets.isEmpty == isFiltered else {
      throw ValidationError(
        "name the assets to delete, or say --until, --request, --deferral, --name, --tag or --missing"
      )
    }
    if !assets.isEmpty, filter.kind != nil || filter.since != nil {
      throw ValidationError("--kind and --since do not go with assets that are named")
    }
  }

  func run(on bus: CameraBus) async throws {
    let ids = try await chosen(from: bus).map(\.id)
    try AssetChanges("deleted", try await bus.delete(ids)).report(asJSON: options.json)
  }

  private func chosen(from bus: CameraBus) async throws -> [Asset] {
    guard assets.isEmpty else { return try await AssetText.assets(assets, of: bus) }
    var filter = filter.filter(camera: options.camera)
    filter.isProtected = false
    return try await bus.chosenAssets(filter) { !missing || $0.condition == .missing }
  }
}

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
