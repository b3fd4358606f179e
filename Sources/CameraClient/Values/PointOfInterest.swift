/// Where in its picture a camera measures: the value of the control `point_of_interest`.
///
/// It is a share of the camera's whole picture, as it is before the node turns it and without a
/// zoom: 0, 0 is the top left corner, 1, 1 the bottom right one. So it stays the same however
/// previews are turned.
public struct PointOfInterest: Hashable, Sendable, Codable, CustomStringConvertible {
  /// From left to right, 0 to 1.
  public var x: Double
  /// From top to bottom, 0 to 1.
  public var y: Double

  /// A point of the camera's whole picture.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The point that is seen in a picture.
  /// - Parameters:
  ///   - x: The share of the picture's width, 0 to 1.
  ///   - y: The share of the picture's height, 0 to 1.
  ///   - orientation: How the picture is turned.
  ///   - zoom: Its magnification; only its middle is seen above 1.
  public init(seenAtX x: Double, y: Double, orientation: Orientation, zoom: Double = 1) {
    let upright = orientation.isMirrored ? 1 - x : x
    let (column, row) =
      switch orientation.rotation {
      case 90: (y, 1 - upright)
      case 180: (1 - upright, 1 - y)
      case 270: (1 - y, upright)
      default: (upright, y)
      }
    let factor = zoom > 1 ? zoom : 1
    self.init(x: 0.5 + (column - 0.5) / factor, y: 0.5 + (row - 0.5) / factor)
  }

  /// "0.25,0.5".
  public var description: String { "\(x),\(y)" }
}

extension CameraFrame {
  /// The point that is seen in this frame, to let the camera measure there.
  /// - Parameters:
  ///   - x: The share of the frame's width, 0 to 1.
  ///   - y: The share of the frame's height, 0 to 1.
  ///   - zoom: Counts only if the frame does not say its own.
  public func pointOfInterest(x: Double, y: Double, zoom: Double = 1) -> PointOfInterest {
    PointOfInterest(seenAtX: x, y: y, orientation: orientation, zoom: facts.zoom ?? zoom)
  }
}

extension ResolvedCapture {
  /// The point that is seen in this photo, to let the camera measure there.
  /// - Parameters:
  ///   - x: The share of the photo's width, 0 to 1.
  ///   - y: The share of the photo's height, 0 to 1.
  ///   - zoom: Counts only if the photo does not say its own.
  public func pointOfInterest(x: Double, y: Double, zoom: Double = 1) -> PointOfInterest {
    PointOfInterest(seenAtX: x, y: y, orientation: orientation, zoom: facts.zoom ?? zoom)
  }
}
