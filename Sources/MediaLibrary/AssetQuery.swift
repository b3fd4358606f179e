package import Words

/// Selects assets for a list. Each part that is set leaves fewer assets.
package struct AssetQuery: Hashable, Sendable {
  package var cameras: Set<String>?
  /// The first bytes of the asset's id.
  package var idPrefix: [UInt8]?
  /// The id of the request that the asset was made for.
  package var requestID: [UInt8]?
  /// The asset was created at or after this moment: nanoseconds since 1970.
  package var since: Int64?
  /// The asset was created before this moment.
  package var until: Int64?
  package var kind: MediaType.Kind?
  package var isProtected: Bool?
  /// Only proxies of whose files this has become.
  package var deferral: Deferral?
  /// Only what is in the place of this proxy.
  package var replaces: AssetID?
  package var name: String?
  /// The asset has all of them.
  package var tags: [String] = []

  package init() {}
}

/// A part of a list of assets.
package struct AssetPage: Sendable {
  /// The assets, newest first.
  package let assets: [Asset]
  /// Where the next page begins; nil if this is the last one.
  package let next: AssetCursor?
  /// The assets among them whose condition has changed since the library last looked at their
  /// files.
  package let changes: [Asset]
  /// The bytes of files that were digested for the page.
  package let digestedByteCount: Int
}

/// A place in a list of assets: directly after one asset. It stays valid while assets are added and
/// deleted.
package struct AssetCursor: Hashable, Sendable {
  package static let byteCount = 16

  let createdAt: Int64
  let row: Int64

  init(createdAt: Int64, row: Int64) {
    self.createdAt = createdAt
    self.row = row
  }

  /// Nil for bytes that are no cursor.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(createdAt: Self.number(bytes.prefix(8)), row: Self.number(bytes.suffix(8)))
  }

  package var bytes: [UInt8] {
    [createdAt, row].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
