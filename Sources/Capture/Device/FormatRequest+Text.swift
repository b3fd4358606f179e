import Imaging
import Words

extension FormatRequest {
  /// Reads `[WIDTHxHEIGHT][@RATE][,format=NAME][,key=value…]`, which the specifications of all
  /// backends share.
  ///
  /// A rate is decimal (`29.97`) or a fraction (`30000/1001`). An empty text leaves everything
  /// open.
  ///
  /// - Returns: The wanted format, and the options of the particular backend.
  /// - Throws: `invalidArgument`; its message quotes the wrong part and says how to write it.
  package static func parse(
    _ text: some StringProtocol
  ) throws(CaptureError) -> (request: FormatRequest, options: [String: String]) {
    var request = FormatRequest()
    var options: [String: String] = [:]
    guard !text.isEmpty else { return (request, options) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    for (position, part) in parts.enumerated() {
      if position == 0, !part.contains("=") {
        try request.readSizeAndRate(part)
      } else {
        let (key, value) = try option(part)
        guard options.updateValue(value, forKey: key) == nil else {
          throw .malformed(.option(key), "'\(key)' is given twice: leave one of them out")
        }
      }
    }
    if let name = options.removeValue(forKey: "format") {
      request.pixelFormat = try pixelFormat(name)
    }
    return (request, options)
  }

  private mutating func readSizeAndRate(_ text: some StringProtocol) throws(CaptureError) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if !parts[0].isEmpty { size = try Self.size(parts[0]) }
    if parts.count > 1 { framesPerSecond = try Self.rate(parts[1]) }
  }

  private static func size(_ text: some StringProtocol) throws(CaptureError) -> ImageSize {
    guard let sides = SizeText.sides(of: text) else {
      throw .malformed(
        .size,
        "'\(text)' is no size: write WIDTHxHEIGHT, for example 1280x720"
      )
    }
    return ImageSize(width: sides.width, height: sides.height)
  }

  private static func rate(_ text: some StringProtocol) throws(CaptureError) -> Double {
    let terms = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map { Double(String($0)) ?? .nan }
    let rate = terms.count == 2 ? terms[0] / terms[1] : terms[0]
    guard rate.isFinite, rate > 0 else {
      throw .malformed(
        .rate,
        "'\(text)' is no frame rate: write frames a second after the @, for example 30 or 29.97"
      )
    }
    return rate
  }

  private static func pixelFormat(_ name: String) throws(CaptureError) -> PixelFormat {
    guard let format = PixelFormat(name: name) else {
      throw .malformed(
        .format,
        "'\(name)' is no pixel format: write its four characters, for example YUYV"
      )
    }
    return format
  }

  private static func option(
    _ text: some StringProtocol
  ) throws(CaptureError) -> (key: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .malformed(
        .option(String(parts[0])),
        "'\(text)' is no option: write key=value, for example format=MJPG"
      )
    }
    return (String(parts[0]), String(parts[1]))
  }
}

extension CaptureError {
  fileprivate static func malformed(_ part: Part, _ message: String) -> CaptureError {
    CaptureError(.invalidArgument, message, part: part)
  }
}
