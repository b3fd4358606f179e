import ArgumentParser
import CameraClient

/// An asset's id as people write it: all 32 digits, or so many of the first ones that no other
/// asset begins with them.
struct AssetText {
  /// What `camctl assets` shows of an id, and what files have in their names.
  static let shortCount = 8

  private let digits: String

  /// - Throws: A usage error for a text that is not 4 to 32 hexadecimal digits.
  init(_ text: String) throws {
    digits = text.lowercased()
    guard (4...32).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else {
      throw CommandFailure.usage(
        "'\(text)' is no asset's id, which has 4 to 32 digits: camctl assets shows them")
    }
  }

  /// The asset that it stands for.
  /// - Throws: If there is none, or if there are several.
  func asset(of bus: CameraBus) async throws -> Asset {
    // Two digits are a byte. A digit that is left over is compared here.
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { offset in
      UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
    }
    var found: [Asset] = []
    for try await asset in bus.allAssets(AssetFilter(idPrefix: bytes)) {
      guard asset.id.description.hasPrefix(digits) else { continue }
      found.append(asset)
      if found.count == 2 { break }
    }
    guard let asset = found.first else {
      throw CameraBusError(
        .noSuchAsset, "the library has no asset \(digits): camctl assets shows what it has")
    }
    guard found.count == 1 else {
      throw CommandFailure.usage(
        "several assets begin with \(digits), such as \(found[0].id) and \(found[1].id): write more digits"
      )
    }
    return asset
  }

  /// The assets that the texts stand for, each once.
  static func assets(_ texts: [String], of bus: CameraBus) async throws -> [Asset] {
    var assets: [Asset] = []
    for text in try texts.map(AssetText.init) {
      let asset = try await text.asset(of: bus)
      if !assets.contains(where: { $0.id == asset.id }) { assets.append(asset) }
    }
    return assets
  }
}

extension CameraBus {
  /// The assets of a list that a command works through, newest first.
  /// - Throws: A usage error if there are too many to hold at once.
  func chosenAssets(
    _ filter: AssetFilter, where isChosen: (Asset) -> Bool = { _ in true }
  ) async throws -> [Asset] {
    let most = 100_000
    var chosen: [Asset] = []
    for try await asset in allAssets(filter) where isChosen(asset) {
      guard chosen.count < most else {
        throw CommandFailure.usage(
          "that would be more than \(most) assets: choose fewer with --since, or by camera")
      }
      chosen.append(asset)
    }
    return chosen
  }
}

extension Identifier {
  /// The first digits, which nearly always stand for one asset alone.
  var short: String { String(description.prefix(AssetText.shortCount)) }
}

/// What `--request` takes: the id of a request, as errors and `--json` name it.
enum RequestText {
  static func parse(_ text: String) throws -> Identifier {
    guard let id = Identifier(text) else {
      throw ValidationError("a request's id has 32 hexadecimal digits")
    }
    return id
  }
}
