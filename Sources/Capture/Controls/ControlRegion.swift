/// A rectangle that is a control's value, in pixels of the sensor. V4L2 has it as the four numbers
/// `left`, `top`, `width` and `height`.
package struct ControlRegion: Hashable, Sendable {
  /// The smallest and the largest region of a control.
  package struct Bounds: Hashable, Sendable {
    package var smallest: ControlRegion
    package var largest: ControlRegion

    package init(smallest: ControlRegion, largest: ControlRegion) {
      self.smallest = smallest
      self.largest = largest
    }
  }

  package var left: Int64
  package var top: Int64
  package var width: Int64
  package var height: Int64

  package init(left: Int64, top: Int64, width: Int64, height: Int64) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// Nil if it is no region.
  package init?(_ elements: [Int64]) {
    guard elements.count == 4, elements[2] > 0, elements[3] > 0,
      elements.allSatisfy({ Int64(Int32.min)...Int64(Int32.max) ~= $0 })
    else { return nil }
    self.init(left: elements[0], top: elements[1], width: elements[2], height: elements[3])
  }

  package var elements: [Int64] { [left, top, width, height] }

  /// The nearest region within these bounds.
  package func clamped(to bounds: Bounds) -> ControlRegion {
    let whole = bounds.largest
    let width = min(max(width, min(bounds.smallest.width, whole.width)), whole.width)
    let height = min(max(height, min(bounds.smallest.height, whole.height)), whole.height)
    return ControlRegion(
      left: min(max(left, whole.left), whole.left + whole.width - width),
      top: min(max(top, whole.top), whole.top + whole.height - height),
      width: width, height: height)
  }
}

extension ControlRegion {
  /// The side of the region about a point, as a share of the picture's.
  private static let share = 0.2

  /// The region about a point. At the edges of the picture it keeps its size and lies within them.
  init(about point: PointOfInterest, within bounds: Bounds) {
    let whole = bounds.largest
    let (width, height) = (Double(whole.width), Double(whole.height))
    let side = (width: width * Self.share, height: height * Self.share)
    self = ControlRegion(
      left: whole.left + Int64((point.x * width - side.width / 2).rounded()),
      top: whole.top + Int64((point.y * height - side.height / 2).rounded()),
      width: Int64(side.width.rounded()), height: Int64(side.height.rounded())
    ).clamped(to: bounds)
  }

  /// The point in its middle.
  func center(within bounds: Bounds) -> PointOfInterest {
    let whole = bounds.largest
    let x = (Double(left - whole.left) + Double(width) / 2) / Double(whole.width)
    let y = (Double(top - whole.top) + Double(height) / 2) / Double(whole.height)
    return PointOfInterest(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
  }
}

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
