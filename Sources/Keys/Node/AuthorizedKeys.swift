package import ZeroMQ

/// The keys that may use a node, and the files that could not be used.
package struct AuthorizedKeys: Equatable, Sendable {
  static let suffix = ".key"

  /// The file and the reason of each file that authorizes nobody.
  package private(set) var refused: [String] = []
  private var byKey: [CurvePublicKey: AuthorizedKey] = [:]

  package init() {}

  /// By name.
  package var keys: [AuthorizedKey] { byKey.values.sorted { $0.name < $1.name } }

  /// - Parameter now: In nanoseconds since 1970.
  /// - Returns: Nil if the key is not authorized, or no more.
  package func key(_ key: CurvePublicKey, at now: Int64) -> AuthorizedKey? {
    byKey[key].flatMap { $0.isExpired(at: now) ? nil : $0 }
  }

  /// Adds a key, unless another file has given it already. A copy of a file must neither throw a
  /// client out nor give it another role.
  mutating func add(_ key: AuthorizedKey) {
    if let other = byKey[key.key] {
      refused.append(
        "\(key.name) has the same key as \(other.name), and only one of them counts: delete the other"
      )
    } else {
      byKey[key.key] = key
    }
  }

  mutating func refuse(_ error: KeyError) { refused.append(error.description) }
}
