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

extension FrameRate {
  /// The fraction that drivers use for a decimal rate: whole numbers (30/1), the television rates
  /// (29.97 is 30000/1001), and thousandths for all others (12.5 is 12500/1000).
  ///
  /// Nil unless the rate is between 0.001 and 100 000 frames per second.
  package init?(framesPerSecond rate: Double) {
    guard rate >= 0.001, rate <= 100_000 else { return nil }
    let television = (rate * 1.001).rounded()
    if rate == rate.rounded() {
      self.init(UInt32(rate))
    } else if television > 0, abs(television / 1.001 - rate) < 0.005 {
      self.init(UInt32(television) * 1000, over: 1001)
    } else {
      self.init(UInt32((rate * 1000).rounded()), over: 1000)
    }
  }
}

// Formats in the notation that people use.

extension FrameRate {
  /// Frames per second with at most two decimals: "30", "12.5", "29.97".
  package var summary: String {
    let hundredths = Int((framesPerSecond * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

extension FormatRequest {
  /// The wanted format: "1280x720 YUYV at 30/s", or "a format" if everything is left open.
  package var summary: String {
    let rate = framesPerSecond.flatMap { FrameRate(framesPerSecond: $0) }
    let parts = [size?.description, pixelFormat?.name, rate.map { "at \($0.summary)/s" }]
    let named = parts.compactMap(\.self)
    return named.isEmpty ? "a format" : named.joined(separator: " ")
  }
}

extension StreamFormat {
  /// "1280x720 YUYV at 30/s".
  var summary: String {
    let rate = frameRate.map { " at \($0.summary)/s" } ?? ""
    return "\(layout.size) \(devicePixelFormat.name)\(rate)"
  }
}
