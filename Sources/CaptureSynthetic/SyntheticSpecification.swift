import Capture
package import Imaging

/// What a synthetic camera is when it is made.
package struct SyntheticSpecification: Hashable, Sendable {
  /// The size, rate and format that it delivers unless a request says otherwise.
  package var size = ImageSize(width: 1280, height: 720)
  package var framesPerSecond = 30.0
  package var pixelFormat = PixelFormat.mjpeg
  /// By how much its frames come after the multiples of their interval since the monotonic clock's zero, in nanoseconds.
  package var phase: Int64 = 0
  /// The clock that stamps its frames.
  package var clock = CameraClock()
  /// The quality of its MJPEG, 1 to 100.
  package var quality = 85
  /// Whether the frame's number and time are painted for people too.
  package var showsCaption = true

  package init() {}
}
