package import Imaging

/// One pixel format at one size, with its frame rates.
package struct CameraFormat: Hashable, Sendable {
  package var pixelFormat: PixelFormat
  package var size: ImageSize
  /// Frames a second, fastest first; empty when the device does not say.
  package var frameRates: [FrameRate]
  /// The driver's description of the pixel format.
  package var summary: String
  /// Why its frames cannot be taken, for a person to read; nil if they can.
  package var problem: String?

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

/// Frames per second as a fraction, as drivers have it (30000/1001).
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

/// The wanted format of a stream. The device chooses what is nil.
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

/// The format that the device streams in.
package struct StreamFormat: Hashable, Sendable {
  /// The layout of the frames delivered.
  package var layout: ImageLayout
  /// The most bytes of one frame.
  package var maximumByteCount: Int
  /// The nominal rate of the frames delivered; nil if the driver does not know it.
  package var frameRate: FrameRate?
  /// The driver's own rate. It differs only if the node thins out the frames.
  package private(set) var deviceFrameRate: FrameRate?
  /// The pixel format before conversion. It differs from the layout's only if the backend converts
  /// frames.
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
    deviceFrameRate = frameRate
    self.devicePixelFormat = devicePixelFormat
  }

  /// The format of its frames if at most so many a second are kept.
  func thinned(to limit: Double?) -> StreamFormat {
    guard let limit, FrameThinner(limit: limit, of: deviceFrameRate) != nil else { return self }
    var format = self
    format.frameRate = FrameRate(framesPerSecond: limit) ?? frameRate
    return format
  }

  /// Whether it has the pixel format and the size that the request names.
  func has(_ request: FormatRequest) -> Bool {
    (request.pixelFormat ?? devicePixelFormat) == devicePixelFormat
      && (request.size ?? layout.size) == layout.size
  }

  /// Whether it has everything that the request names.
  func satisfies(_ request: FormatRequest) -> Bool {
    has(request)
      && request.framesPerSecond.map { wanted in
        // As exact as people write rates: 29.97 stands for 30000/1001.
        frameRate.map { abs($0.framesPerSecond - wanted) < 0.005 } ?? false
      } ?? true
  }
}
