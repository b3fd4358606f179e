import CameraClient

/// An asset's id as people write it: all 32 digits, or so many of the first ones that no other
/// asset begins with them.
struct AssetText {
  private let digits: String

  /// - Throws: A usage error for a text that is not 4 to 32 hexadecimal digits.
  init(_ text: String) throws {
    digits = text.lowercased()
    guard (4...32).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else {
      throw CommandFailure.usage(
        "'\(text)' is no asset's id, which has 4 to 32 digits: camctl download --list shows them")
    }
  }

  /// The asset that it stands for.
  /// - Throws: If there is none, or if there are several.
  func asset(of bus: CameraBus) async throws -> Asset {
    if let id = Identifier(digits), let asset = try await bus.asset(id) { return asset }
    let found = try await bus.assets(limit: 1000).filter {
      $0.id.description.hasPrefix(digits)
    }
    guard let asset = found.first else {
      throw CameraBusError(
        .noSuchAsset, "the library has no \(digits): camctl download --list shows what it has")
    }
    guard found.count == 1 else {
      throw CommandFailure.usage(
        "several assets begin with \(digits), such as \(found[0].id) and \(found[1].id): write more digits"
      )
    }
    return asset
  }
}
