package import Imaging

/// One pixel format at one size, with the rates that the device has for it.
package struct CameraFormat: Hashable, Sendable {
  package var pixelFormat: PixelFormat
  package var size: ImageSize
  /// Frames a second, fastest first; empty when the device does not say.
  package var frameRates: [FrameRate]
  /// The driver's words for the pixel format.
  package var summary: String

  package init(
    pixelFormat: PixelFormat,
    size: ImageSize,
    frameRates: [FrameRate],
    summary: String
  ) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.frameRates = frameRates
    self.summary = summary
  }
}

/// Frames a second as the fraction a driver speaks of (30000/1001).
package struct FrameRate: Hashable, Sendable {
  package var numerator: UInt32
  package var denominator: UInt32

  /// Nil unless both are above zero.
  package init?(_ numerator: UInt32, over denominator: UInt32 = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  package var framesPerSecond: Double { Double(numerator) / Double(denominator) }
  /// The time between two frames in nanoseconds.
  package var interval: Int64 { Int64(denominator) * 1_000_000_000 / Int64(numerator) }
}

/// What somebody wants of a stream; what is nil is the device's to choose.
package struct FormatRequest: Hashable, Sendable {
  package var pixelFormat: PixelFormat?
  package var size: ImageSize?
  package var framesPerSecond: Double?

  package init(
    pixelFormat: PixelFormat? = nil,
    size: ImageSize? = nil,
    framesPerSecond: Double? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.framesPerSecond = framesPerSecond
  }
}

/// What the device and the session agreed on.
package struct StreamFormat: Hashable, Sendable {
  /// The layout of the frames delivered.
  package var layout: ImageLayout
  /// The most bytes that a frame takes.
  package var maximumByteCount: Int
  /// The nominal rate; nil when the driver has none.
  package var frameRate: FrameRate?
  /// The driver's own pixel format where frames are converted before they are delivered, else the layout's.
  package var devicePixelFormat: PixelFormat

  package init(
    layout: ImageLayout,
    maximumByteCount: Int,
    frameRate: FrameRate?,
    devicePixelFormat: PixelFormat
  ) {
    self.layout = layout
    self.maximumByteCount = maximumByteCount
    self.frameRate = frameRate
    self.devicePixelFormat = devicePixelFormat
  }
}
