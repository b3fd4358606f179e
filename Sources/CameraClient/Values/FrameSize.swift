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
