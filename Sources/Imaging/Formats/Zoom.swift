/// How much the middle of a picture is enlarged: 1 or more. The factors across and down differ
/// where a picture is cropped to another shape.
package struct Zoom: Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  package var horizontal: Double
  package var vertical: Double

  package init(_ factor: Double) {
    (horizontal, vertical) = (factor, factor)
  }

  package init(floatLiteral factor: Double) { self.init(factor) }
  package init(integerLiteral factor: Int) { self.init(Double(factor)) }

  /// Enlarges the middle of a picture and cuts off what a target of another shape does not show.
  package init(_ factor: Double, cropping size: ImageSize, to target: ImageSize) {
    let across = Double(size.width) / Double(target.width)
    let down = Double(size.height) / Double(target.height)
    let scale = min(across, down)
    horizontal = factor * across / scale
    vertical = factor * down / scale
  }
}
