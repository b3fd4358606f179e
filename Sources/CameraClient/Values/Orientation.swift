/// How a picture is turned.
public struct Orientation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Degrees clockwise: 0, 90, 180 or 270.
  public var rotation: Int
  /// Whether left and right change places, after the rotation.
  public var isMirrored: Bool

  /// An orientation; without arguments the picture as it is.
  public init(rotation: Int = 0, isMirrored: Bool = false) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }

  /// "90°, mirrored".
  public var description: String { "\(rotation)°\(isMirrored ? ", mirrored" : "")" }
}
