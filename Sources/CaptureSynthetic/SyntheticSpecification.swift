import Capture
package import Imaging

/// The properties of a new synthetic camera.
package struct SyntheticSpecification: Hashable, Sendable {
  /// The defaults for requests that leave the size, rate or format open.
  package var size = ImageSize(width: 1280, height: 720)
  package var framesPerSecond = 30.0
  package var pixelFormat = PixelFormat.mjpeg
  /// The delay of its frames after the multiples of their interval on the monotonic clock, in
  /// nanoseconds.
  package var phase: Int64 = 0
  /// Whether its frames begin with its stream, as those of real cameras do. Then ``phase`` is the
  /// delay of the first one after the start.
  package var isFree = false
  /// The clock that stamps its frames.
  package var clock = CameraClock()
  /// The quality of its MJPEG, 1 to 100.
  package var quality = 85
  /// Whether the frame's number and time are also painted as digits.
  package var showsCaption = true
  /// After how many frames a change of a control shows.
  package var settling = Settling()
  /// Whether it says with each frame how it took it. Many cameras do not.
  package var saysFacts = true
  /// Whether it has a zoom. Many cameras do not.
  package var hasZoom = true
  /// How many frames after a start are too dark: the first half of them as dark as each other, the
  /// others less and less.
  package var warmUp = 0

  package init() {}

  /// The share of its light that a frame gets, by its number since the start.
  func light(ofFrame number: Int) -> Double {
    guard number <= warmUp else { return 1 }
    let dark = warmUp / 2
    return Double(max(number - dark, 0) + 1) / Double(warmUp - dark + 2)
  }
}
