import OperatingSystem

/// Who may use the node has changed, or somebody was refused.
public struct KeysEvent: Hashable, Sendable, Codable {
  /// The names of keys that may use the node from now on, or in another way than before.
  public var authorized: [String]
  /// The names of keys that may no longer use the node.
  public var revoked: [String]
  /// Files of the node's folder of keys that authorize nobody, each with the remedy.
  public var mistakes: [String]
  /// The connections that were refused since the event before, because they had no authorized key.
  public var refusedConnections: UInt64
}

extension KeysEvent: CustomStringConvertible {
  /// What changed, in words.
  public var description: String {
    var parts: [String] = []
    if !authorized.isEmpty {
      parts.append("new or changed keys: \(authorized.joined(separator: ", "))")
    }
    if !revoked.isEmpty { parts.append("keys that ended: \(revoked.joined(separator: ", "))") }
    parts += mistakes
    if refusedConnections > 0 {
      parts.append("\(refusedConnections.counted("connection")) without an authorized key refused")
    }
    return parts.joined(separator: "; ")
  }
}
