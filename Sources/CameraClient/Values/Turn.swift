/// A change of an orientation. What is nil stays as it is.
public struct Turn: Hashable, Sendable {
  /// Degrees clockwise: 0, 90, 180 or 270.
  public var rotation: Int?
  /// Whether left and right change places, after the rotation.
  public var isMirrored: Bool?

  /// A change; without arguments none.
  public init(rotation: Int? = nil, isMirrored: Bool? = nil) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }
}
