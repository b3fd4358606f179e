package import ZeroMQ

/// A CURVE certificate: a public key, perhaps its secret half, and facts about them, in the form of
/// files that czmq and pyzmq (`zmq.auth`) read and write.
package struct Certificate: Equatable, Sendable {
  /// The longest text, in bytes.
  package static let longestText = 16 << 10

  package let publicKey: CurvePublicKey
  package let secretKey: CurveSecretKey?
  /// Facts by name. A name has letters, digits and `-`; a value is one line without quotes.
  package let metadata: [String: String]

  package init(
    _ publicKey: CurvePublicKey, secretKey: CurveSecretKey? = nil, metadata: [String: String] = [:]
  ) {
    self.publicKey = publicKey
    self.secretKey = secretKey
    self.metadata = metadata
  }

  /// - Throws: `KeyError`, which never repeats a key.
  package init(parsing text: String) throws(KeyError) {
    guard text.utf8.count <= Self.longestText else {
      throw KeyError("this is longer than a certificate")
    }
    let values = try ZPL(text).values
    guard let publicText = values["curve/public-key"] else {
      throw KeyError("there is no public-key below curve")
    }
    publicKey = try Self.key("public-key") { () throws(ZeroMQError) in
      try CurvePublicKey(z85: publicText)
    }
    secretKey =
      if let secretText = values["curve/secret-key"] {
        try Self.key("secret-key") { () throws(ZeroMQError) in
          try CurveSecretKey(z85: secretText)
        }
      } else {
        nil
      }
    if let secretKey, (try? CurveKeyPair(secretKey: secretKey))?.publicKey != publicKey {
      throw KeyError("the two keys are not halves of one")
    }
    metadata = values.reduce(into: [:]) { facts, value in
      guard value.key.hasPrefix("metadata/") else { return }
      facts[String(value.key.dropFirst("metadata/".utf8.count))] = value.value
    }
  }

  private static func key<Key>(
    _ name: String, _ read: () throws(ZeroMQError) -> Key
  ) throws(KeyError) -> Key {
    do throws(ZeroMQError) {
      return try read()
    } catch {
      throw KeyError("\(name) is not 40 characters in quotes")
    }
  }

  /// The certificate without its secret half.
  package var publicHalf: Certificate { Certificate(publicKey, metadata: metadata) }

  /// The file's text.
  package var text: String {
    let kind =
      secretKey == nil
      ? "#   ZeroMQ CURVE public certificate"
      : "#   ZeroMQ CURVE secret certificate: give it to nobody"
    let facts = metadata.sorted { $0.key < $1.key }.map { "    \($0.key) = \"\($0.value)\"" }
    let secret = secretKey.map { ["    secret-key = \"\($0.z85)\""] } ?? []
    let curve = ["curve", "    public-key = \"\(publicKey.z85)\""]
    return ([kind, "metadata"] + facts + curve + secret).map { $0 + "\n" }.joined()
  }
}

/// A key, certificate or folder of keys that cannot be used, and the remedy.
package struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether it is about a name of a node that nobody has added.
  package let isUnknownNode: Bool

  package init(_ description: String, isUnknownNode: Bool = false) {
    self.description = description
    self.isUnknownNode = isUnknownNode
  }
}

extension CurveKeyPair {
  /// A new pair whose public key can be written behind a command: one that begins with a dash would
  /// be taken for an option.
  package static func forCommandLines() throws(ZeroMQError) -> CurveKeyPair {
    while true {
      let pair = try generate()
      if !pair.publicKey.z85.hasPrefix("-") { return pair }
    }
  }
}
