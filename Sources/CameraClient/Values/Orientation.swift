/// A picture's size in pixels.
public struct FrameSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// As people write it: "1280x720".
  public var description: String { "\(width)x\(height)" }
}

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
