import Keys
import ZeroMQ

/// The nodes that the user may use.
enum NodeTable {
  private struct Row: Encodable {
    let name: String
    let control: String
    let nodeKey: String
    /// Of the user's own key, if the node's owner is yet to authorize it.
    let publicKey: String?
  }

  static func print(_ nodes: [KnownNode], asJSON: Bool, publicKey: CurvePublicKey? = nil) {
    let rows = nodes.map {
      Row(name: $0.name, control: $0.control, nodeKey: $0.key.z85, publicKey: publicKey?.z85)
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
