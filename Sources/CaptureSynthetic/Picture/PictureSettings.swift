/// The settings of the picture that result from the controls.
package struct PictureSettings: Hashable, Sendable {
  package var pattern = TestPattern.bars
  /// Exposure × gain, as a multiple of the correct exposure.
  package var light = 1.0
  /// The exposure time in nanoseconds if it is set by hand.
  package var exposure: Int64?
  /// What counts as white, as a multiple of the temperature of the scene's light: above 1 the
  /// picture is redder.
  package var warmth = 1.0
  /// Code values that the sensor adds when it is hot.
  package var darkCurrent = 0.0
  package var contrast = 1.0
  /// Added to every code value.
  package var brightness = 0.0
  /// The magnification; 1 is life size.
  package var zoom = 1.0
  /// The radius of the blur as a share of the picture's width.
  package var blur = 0.0
  package var flipsHorizontally = false
  package var flipsVertically = false

  package init() {}

  /// The colour in the picture for a colour of the scene.
  package func expose(_ color: RGB) -> RGB {
    RGB(
      red: expose(color.red, light * warmth), green: expose(color.green, light),
      blue: expose(color.blue, light / warmth))
  }

  private func expose(_ scene: UInt8, _ light: Double) -> UInt8 {
    let sensor = min(Double(scene) * light + darkCurrent, 255)
    return UInt8(min(max((sensor - 128) * contrast + 128 + brightness, 0), 255).rounded())
  }

  /// Maps a share of the picture's width to the share of the scene's width seen there.
  func sceneX(_ x: Double) -> Double {
    0.5 + ((flipsHorizontally ? 1 - x : x) - 0.5) / zoom
  }

  func sceneY(_ y: Double) -> Double {
    0.5 + ((flipsVertically ? 1 - y : y) - 0.5) / zoom
  }

  /// Maps a share of the scene's width to the share of the picture's width where it is seen.
  func pictureX(_ x: Double) -> Double {
    let zoomed = 0.5 + (x - 0.5) * zoom
    return flipsHorizontally ? 1 - zoomed : zoomed
  }

  func pictureY(_ y: Double) -> Double {
    let zoomed = 0.5 + (y - 0.5) * zoom
    return flipsVertically ? 1 - zoomed : zoomed
  }
}
