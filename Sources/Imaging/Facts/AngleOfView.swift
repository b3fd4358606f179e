/// How much a picture shows of the scene: its size, and its focal lengths in pixels, which a
/// calibration finds (`fx` and `fy` of a camera matrix).
package struct AngleOfView: Codable, Hashable, Sendable {
  package var size: ImageSize
  /// In pixels, above 0.
  package var horizontal: Double
  package var vertical: Double

  package init(size: ImageSize, horizontal: Double, vertical: Double) {
    (self.size, self.horizontal, self.vertical) = (size, horizontal, vertical)
  }

  /// That of a picture in which the middle of this one is enlarged and scaled to a size, and then
  /// turned.
  package func shown(
    _ zoom: Zoom, scaledTo target: ImageSize, turned orientation: Orientation
  ) -> AngleOfView {
    let across = horizontal * zoom.horizontal * Double(target.width) / Double(size.width)
    let down = vertical * zoom.vertical * Double(target.height) / Double(size.height)
    let swaps = orientation.rotation.swapsSides
    return AngleOfView(
      size: orientation.turned(target), horizontal: swaps ? down : across,
      vertical: swaps ? across : down)
  }

  /// FocalLengthIn35mmFilm of Exif 2.32: the focal length in millimetres with which the longer side
  /// of a frame of 36 mm x 24 mm shows as much. A side of w pixels and f pixels of focal length are
  /// 36 f / w, by similar triangles. Nil if that is no number from 1 to 65535.
  var equivalentFocalLength: UInt16? {
    let isWide = size.width >= size.height
    let length =
      36 * (isWide ? horizontal / Double(size.width) : vertical / Double(size.height))
    guard length.isFinite, (1...65_535).contains(length.rounded()) else { return nil }
    return UInt16(length.rounded())
  }

  /// FocalPlaneXResolution and FocalPlaneYResolution of Exif 2.32: the pixels on a centimetre of
  /// the sensor. A lens of so many millimetres has a focal length of so many pixels.
  func pixelsPerCentimetre(
    of focalLength: Double
  ) -> (x: Rational<UInt32>, y: Rational<UInt32>)? {
    guard focalLength > 0, let x = Rational(decimal: 10 * horizontal / focalLength),
      let y = Rational(decimal: 10 * vertical / focalLength), x.numerator > 0, y.numerator > 0
    else { return nil }
    return (x, y)
  }
}
