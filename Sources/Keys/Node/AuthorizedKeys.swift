package import ZeroMQ

/// The keys that may use a node, and the files that could not be used.
package struct AuthorizedKeys: Equatable, Sendable {
  static let suffix = ".key"

  /// The file and the reason of each file that authorizes nobody.
  package private(set) var refused: [String] = []
  private var byKey: [CurvePublicKey: AuthorizedKey] = [:]
  /// The keys that several files name.
  private var ambiguous: [CurvePublicKey: String] = [:]

  package init() {}

  /// By name.
  package var keys: [AuthorizedKey] { byKey.values.sorted { $0.name < $1.name } }

  /// - Parameter now: in nanoseconds since 1970.
  /// - Returns: nil if the key is not authorized, or no more.
  package func key(_ key: CurvePublicKey, at now: Int64) -> AuthorizedKey? {
    byKey[key].flatMap { $0.isExpired(at: now) ? nil : $0 }
  }

  /// Several files with one key may give it several roles, and to delete one of them would not
  /// revoke it. So they count as none.
  mutating func add(_ key: AuthorizedKey) {
    if let other = byKey.removeValue(forKey: key.key)?.name ?? ambiguous[key.key] {
      ambiguous[key.key] = other
      refused.append("\(key.name) and \(other) have the same key: delete one of them")
    } else {
      byKey[key.key] = key
    }
  }

  mutating func refuse(_ error: KeyError) { refused.append(error.description) }
}
