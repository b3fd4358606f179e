/// How a picture is turned before it is shown or kept.
package struct Orientation: Codable, Hashable, Sendable, CustomStringConvertible {
  /// Quarter turns clockwise.
  package enum Rotation: Int, Codable, Hashable, Sendable, CaseIterable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// Whether width and height change places.
    var swapsSides: Bool { self == .quarter || self == .threeQuarters }
  }

  /// In degrees clockwise.
  package var rotation: Rotation
  /// Whether left and right change places, after the rotation.
  package var isMirrored: Bool

  package init(_ rotation: Rotation = .none, isMirrored: Bool = false) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }

  /// The picture as it is.
  package static let upright = Orientation()

  package static let allCases = Rotation.allCases.flatMap { rotation in
    [Orientation(rotation), Orientation(rotation, isMirrored: true)]
  }

  package var description: String { "\(rotation.rawValue)°\(isMirrored ? ", mirrored" : "")" }

  /// The size of the turned picture; of a turned picture the size that it had before.
  package func turned(_ size: ImageSize) -> ImageSize {
    rotation.swapsSides ? ImageSize(width: size.height, height: size.width) : size
  }

  /// This turn, and then another one of its result.
  package func followed(by next: Orientation) -> Orientation {
    // Turning a mirrored picture clockwise is turning it counterclockwise before it is mirrored.
    let degrees =
      rotation.rawValue + (isMirrored ? 360 - next.rotation.rawValue : next.rotation.rawValue)
    return Orientation(
      Rotation(rawValue: degrees % 360) ?? .none, isMirrored: isMirrored != next.isMirrored)
  }

  /// Whether a walk through the turned picture meets the source's columns from right to left.
  var reversesColumns: Bool {
    isMirrored
      ? rotation == .none || rotation == .threeQuarters
      : rotation == .half || rotation == .threeQuarters
  }

  /// Whether a walk through the turned picture meets the source's rows from bottom to top.
  var reversesRows: Bool {
    isMirrored
      ? rotation == .half || rotation == .threeQuarters
      : rotation == .half || rotation == .quarter
  }

  /// Whether areas of this size that tile a picture from its top left corner, and may reach beyond
  /// its other edges, are the same areas in the turned picture.
  func keepsTiles(of tile: ImageSize, in size: ImageSize) -> Bool {
    (!reversesColumns || size.width.isMultiple(of: tile.width))
      && (!reversesRows || size.height.isMultiple(of: tile.height))
  }
}
