/// A point of the camera's whole picture, unturned and without a zoom: 0, 0 is its top left corner,
/// 1, 1 its bottom right one.
package struct PointOfInterest: Codable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let center = PointOfInterest(x: 0.5, y: 0.5)

  package var isInPicture: Bool { (0...1).contains(x) && (0...1).contains(y) }
}
