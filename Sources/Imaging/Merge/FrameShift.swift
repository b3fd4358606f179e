/// By how many pixels a frame shows the scene further to the right and further down than the
/// reference.
package struct FrameShift: Hashable, Sendable, CustomStringConvertible {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  package static let none = FrameShift(x: 0, y: 0)

  package var description: String { "(\(x), \(y))" }

  /// The nearest shift of a plane whose samples stand for several pixels.
  func inSamples(of plane: SamplePlane) -> FrameShift {
    func nearest(_ shift: Int, _ pixels: Int) -> Int {
      Int((Double(shift) / Double(pixels)).rounded())
    }
    return FrameShift(
      x: nearest(x, plane.lumaPerSample.width), y: nearest(y, plane.lumaPerSample.height))
  }

  /// The part of the reference that a shifted frame of the same size shows too.
  func overlap(_ size: ImageSize) -> (columns: Range<Int>, rows: Range<Int>) {
    func common(_ shift: Int, _ length: Int) -> Range<Int> {
      let start = min(max(0, -shift), length)
      return start..<max(start, min(length, length - shift))
    }
    return (common(x, size.width), common(y, size.height))
  }
}
