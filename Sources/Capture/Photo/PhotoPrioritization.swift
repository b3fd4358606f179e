/// How much is done for the look of a photo.
package enum PhotoPrioritization: Int, Codable, Hashable, Comparable, Sendable {
  /// The frame of the moment.
  case speed
  /// The sharpest of it and its neighbours.
  case balanced
  /// The same, merged with further frames.
  case quality

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// A neighbour is only taken if it is sharper by this factor, because its moment is another.
  static let distinction = 1.1
  /// With so many files being made, photos that come faster than they are made get less.
  private static let crowd = (balanced: 4, speed: 8)

  /// How many frames before and after that of the moment are used too.
  /// - Parameter reachesBack: Whether earlier ones will do.
  func neighbours(reachesBack: Bool) -> (before: UInt64, after: UInt64) {
    switch (self, reachesBack) {
    case (.speed, _): (0, 0)
    case (.balanced, true): (1, 1)
    case (.balanced, false): (0, 2)
    case (.quality, true): (1, 2)
    case (.quality, false): (0, 3)
    }
  }

  /// How many frames are used.
  var frameCount: Int {
    let (before, after) = neighbours(reachesBack: true)
    return Int(before + 1 + after)
  }

  /// The same, or less while files are being made.
  /// - Parameter count: How many.
  func lowered(whileMaking count: Int) -> PhotoPrioritization {
    if count >= Self.crowd.speed { return .speed }
    return count >= Self.crowd.balanced ? min(self, .balanced) : self
  }
}
