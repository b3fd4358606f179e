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
