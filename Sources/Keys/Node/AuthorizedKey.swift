import CameraProtocol
import OperatingSystem
package import ZeroMQ

/// A key that may use a node, with its role.
package struct AuthorizedKey: Hashable, Sendable {
  /// The name that the node's owner gave it.
  package let name: String
  package let key: CurvePublicKey
  package let role: Role
  /// The cameras that it is for. Nil means all.
  package let cameras: Set<String>?
  /// When it ends, in nanoseconds since 1970. Nil means never.
  package let expiry: Int64?
  package let comment: String?

  /// - Throws: `KeyError` if something cannot be written into a certificate.
  package init(
    name: String, key: CurvePublicKey, role: Role, cameras: Set<String>? = nil,
    expiry: Int64? = nil, comment: String? = nil
  ) throws(KeyError) {
    guard Self.isValid(name: name) else { throw .keyName }
    if let cameras {
      let mistaken = cameras.filter { !CameraName.isValid($0) || $0 == CameraName.node }
      guard !cameras.isEmpty, mistaken.isEmpty else {
        throw KeyError(
          "no name of a camera, which has letters, digits, '-' and '_': "
            + mistaken.sorted().map { "'\($0)'" }.joined(separator: ", "))
      }
    }
    if let comment {
      guard comment.utf8.count <= 200, !comment.contains("\""),
        !comment.contains(where: \.isNewline), !comment.unicodeScalars.contains(where: \.isControl)
      else { throw KeyError("a comment is a line of at most 200 bytes without quotes") }
    }
    self.name = name
    self.key = key
    self.role = role
    self.cameras = cameras
    self.expiry = expiry
    self.comment = comment
  }

  /// - Parameter certificate: Of the key, with `role`, and perhaps `cameras`, `expires` and
  ///   `comment`.
  /// - Throws: `KeyError` if it says something else than these. A limit that is not understood must
  ///   not be taken for none.
  package init(name: String, _ certificate: Certificate) throws(KeyError) {
    guard certificate.secretKey == nil else {
      throw KeyError("it has the secret key: keep that, and authorize the public key")
    }
    var facts = certificate.metadata
    guard let role = facts.removeValue(forKey: "role").flatMap(Role.init(rawValue:)) else {
      let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
      throw KeyError("its role is not one of \(roles)")
    }
    let cameras = facts.removeValue(forKey: "cameras").map { text in
      Set(
        text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed(" ")) }
      )
    }
    var expiry: Int64?
    if let text = facts.removeValue(forKey: "expires") {
      expiry = WallTime.nanoseconds(parsing: text)
      guard expiry != nil else {
        throw KeyError("expires is no time such as 2026-11-24T12:00:00Z")
      }
    }
    let comment = facts.removeValue(forKey: "comment")
    if let unknown = facts.keys.min() {
      throw KeyError("\(unknown) is none of role, cameras, expires and comment")
    }
    try self.init(
      name: name, key: certificate.publicKey, role: role, cameras: cameras, expiry: expiry,
      comment: comment)
  }

  package var certificate: Certificate {
    var facts = ["role": role.rawValue]
    facts["cameras"] = cameras?.sorted().joined(separator: ",")
    facts["expires"] = expiry.map { WallTime.text(nanoseconds: $0) }
    facts["comment"] = comment
    return Certificate(key, metadata: facts)
  }

  /// - Parameter now: In nanoseconds since 1970.
  package func isExpired(at now: Int64) -> Bool { expiry.map { now >= $0 } ?? false }

  package func isFor(camera: String) -> Bool { cameras?.contains(camera) ?? true }

  /// The role and the cameras, as people read them: "operator, for left, right".
  package var grant: String {
    role.rawValue + (cameras.map { ", for \($0.sorted().joined(separator: ", "))" } ?? "")
  }

  package static func isValid(name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        CameraName.isAllowed(byte) || byte == UInt8(ascii: ".")
      }
  }
}

extension KeyError {
  static let keyName = KeyError(
    "a key's name has 1 to 64 letters, digits, '-', '_' and '.', and no '.' first")
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}

/// What a key may do. Each role includes the ones before it.
package enum Role: String, CaseIterable, Comparable, Sendable {
  /// Status, events, frames and lists.
  case viewer
  /// Also captures, recordings, downloads and controls.
  case `operator`
  /// Also sessions, configuration and the deletion of assets.
  case controller

  package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
