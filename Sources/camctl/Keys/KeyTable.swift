import Discovery
import Keys
import OperatingSystem
import ZeroMQ

/// The keys that may use a node.
enum KeyTable {
  private struct Row: Encodable {
    let name: String
    let role: String
    let cameras: [String]?
    let expires: String?
    let isExpired: Bool
    let key: String
    let comment: String?
  }

  static func print(_ keys: [AuthorizedKey], asJSON: Bool) {
    let now = WallTime.nowNanoseconds
    let rows = keys.map { key in
      Row(
        name: key.name, role: key.role.rawValue, cameras: key.cameras?.sorted(),
        expires: key.expiry.map { WallTime.shortText(nanoseconds: $0) },
        isExpired: key.isExpired(at: now), key: key.key.z85, comment: key.comment)
    }
    guard !asJSON else {
      for row in rows { JSONLine.print(row) }
      return
    }
    var table = Table("NAME", "ROLE", "CAMERAS", "EXPIRES", "KEY", "COMMENT")
    for row in rows {
      let expires = (row.expires ?? "never") + (row.isExpired ? " (over)" : "")
      table.add(
        row.name, row.role, row.cameras?.joined(separator: ", ") ?? "all",
        expires.styled(row.isExpired ? .bad : .plain), row.key, row.comment ?? "")
    }
    table.print()
  }
}

/// The nodes that the user may use.
enum NodeTable {
  private struct Row: Encodable {
    let name: String
    let control: String
    let nodeKey: String
    let fingerprint: String
    /// The user's own key, if the node's owner is yet to authorize it.
    let publicKey: String?
  }

  static func print(_ nodes: [KnownNode], asJSON: Bool, publicKey: CurvePublicKey? = nil) {
    let rows = nodes.map {
      Row(
        name: $0.name, control: $0.control, nodeKey: $0.key.z85,
        fingerprint: KeyFingerprint(of: $0.key).description, publicKey: publicKey?.z85)
    }
    guard !asJSON else {
      for row in rows { JSONLine.print(row) }
      return
    }
    var table = Table("NAME", "CONTROL", "NODE KEY")
    for row in rows { table.add(row.name, row.control, row.nodeKey) }
    table.print()
  }
}
