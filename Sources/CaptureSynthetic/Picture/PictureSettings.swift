/// What the controls make of the picture.
package struct PictureSettings: Hashable, Sendable {
  package var pattern = TestPattern.bars
  /// Light on the sensor, as a multiple of the right amount: exposure × gain.
  package var light = 1.0
  /// What the sensor sees in the dark, in code values: grows with its heat.
  package var darkCurrent = 0.0
  package var contrast = 1.0
  /// Added to every code value.
  package var brightness = 0.0
  /// How many times larger than life.
  package var zoom = 1.0
  /// The radius of the blur as a share of the picture's width.
  package var blur = 0.0
  package var flipsHorizontally = false
  package var flipsVertically = false

  package init() {}

  /// The colour that the camera makes of a colour of the scene.
  package func expose(_ color: RGB) -> RGB {
    color.map { scene in
      let sensor = min(Double(scene) * light + darkCurrent, 255)
      return UInt8(min(max((sensor - 128) * contrast + 128 + brightness, 0), 255).rounded())
    }
  }

  /// The share of the scene's width that is seen at that share of the picture's width.
  func sceneX(_ x: Double) -> Double {
    0.5 + ((flipsHorizontally ? 1 - x : x) - 0.5) / zoom
  }

  func sceneY(_ y: Double) -> Double {
    0.5 + ((flipsVertically ? 1 - y : y) - 0.5) / zoom
  }

  /// The share of the picture's width at which that share of the scene's width is seen.
  func pictureX(_ x: Double) -> Double {
    let zoomed = 0.5 + (x - 0.5) * zoom
    return flipsHorizontally ? 1 - zoomed : zoomed
  }

  func pictureY(_ y: Double) -> Double {
    let zoomed = 0.5 + (y - 0.5) * zoom
    return flipsVertically ? 1 - zoomed : zoomed
  }
}
