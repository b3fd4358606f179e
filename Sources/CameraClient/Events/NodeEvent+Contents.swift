import Words

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

/// Cameras of the node's machine came or went.
public struct DevicesEvent: Hashable, Sendable, Codable {
  /// The devices that are there from now on, or in another way than before. They come without their
  /// formats: see ``CameraBus/devices()``.
  public var appeared: [MachineDevice]
  /// The devices that have gone.
  public var disappeared: [MachineDevice]
}

extension DevicesEvent: CustomStringConvertible {
  /// What changed, in words.
  public var description: String {
    let parts =
      appeared.map {
        "\($0.words) is there" + ($0.error.map { ", and cannot be used: \($0.message)" } ?? "")
      }
      + disappeared.map { "\($0.words) has gone" }
    return parts.joined(separator: "; ")
  }
}

extension MachineDevice {
  fileprivate var words: String { "\(device.location) (\(device.model))" }
}

/// The scene in front of a camera has changed.
public struct SubjectAreaChange: Hashable, Sendable, Codable {
  /// Which part of the picture had to look different, 0...1, as `Camera.configure` asked for it.
  public var threshold: Double
  /// Which part looks different from the scene that had settled before, 0...1.
  public var change: Double
  /// The number of the frame that shows it.
  public var frameSequence: UInt64
  /// The time of that frame.
  public var timestamp: Timestamp
}

extension SubjectAreaChange: CustomStringConvertible {
  /// "the scene has changed, in 64 % of the picture".
  public var description: String {
    "the scene has changed, in \(Int((change.clamped * 100).rounded())) % of the picture"
  }
}

extension Double {
  /// A node may send any number.
  fileprivate var clamped: Double { isFinite ? min(1, max(0, self)) : 0 }
}
