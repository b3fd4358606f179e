import Capture
import Imaging

/// Chooses a format from a camera's offers. It does no I/O.
struct FormatNegotiation {
  /// The formats that can be delivered, in the driver's order.
  var offers: [CameraFormat]
  /// Pixel formats that the camera has but that cannot be delivered.
  var undeliverable: [PixelFormat] = []

  /// A format and one of its rates, which is nil if the driver lists none.
  struct Choice: Hashable {
    var format: CameraFormat
    var rate: FrameRate?
  }

  /// Meets exactly what the request names. For the rest it prefers 1280x720, otherwise the largest
  /// size up to 1920x1080; then the fastest rate up to 30 a second; then the cheapest pixel format:
  /// raw before compressed, and both before one that needs conversion. Formats of sensors are
  /// chosen only if they are requested or the camera has no others, then video, and distances last.
  /// - Throws: `unsupportedFormat`, naming the nearest values.
  func choose(_ request: FormatRequest) throws(CaptureError) -> Choice {
    let matching = try candidates(for: request).usual
    let size = request.size ?? preferredSize(among: matching)
    let choices = matching.filter { $0.size == size }
      .map { Choice(format: $0, rate: Self.rate(of: $0, wanted: request.framesPerSecond)) }
    // `min` keeps the first of equal choices, so the driver's order decides last.
    guard let best = choices.min(by: Self.isBetter) else {
      guard let first = undeliverable.first else {
        throw refusal("the camera offers no picture", part: .format)
      }
      let names = undeliverable.map(\.name).joined(separator: " and ")
      throw refusal(
        "the camera has only \(names), which cannot be used (\(first.problem)): take a camera that sends "
          + "MJPG or raw pictures", part: .format)
    }
    return best
  }

  /// The pixel formats that may be meant, in the driver's order.
  func pixelFormats(for request: FormatRequest) -> [PixelFormat] {
    var formats: [PixelFormat] = []
    for format in offers.map(\.pixelFormat)
    where format == request.pixelFormat ?? format && !formats.contains(format) {
      formats.append(format)
    }
    return formats
  }

  private func candidates(for request: FormatRequest) throws(CaptureError) -> [CameraFormat] {
    var candidates = offers
    if let wanted = request.pixelFormat {
      candidates.removeAll { $0.pixelFormat != wanted }
      guard !candidates.isEmpty else { throw refusal(of: wanted, request) }
    }
    if let wanted = request.size {
      let others = candidates
      candidates.removeAll { $0.size != wanted }
      guard !candidates.isEmpty else { throw refusal(of: wanted, request, among: others) }
    }
    if let wanted = request.framesPerSecond {
      let others = candidates
      candidates.removeAll { format in !format.frameRates.contains { $0.matches(wanted) } }
      guard !candidates.isEmpty else { throw refusal(of: wanted, request, among: others) }
    }
    return candidates
  }

  private func preferredSize(among formats: [CameraFormat]) -> ImageSize? {
    let sizes = formats.map(\.size)
    let usual = ImageSize(width: 1280, height: 720)
    if sizes.contains(usual) { return usual }
    let moderate = sizes.filter { $0.width <= 1920 && $0.height <= 1080 }
    return moderate.max { $0.pixelCount < $1.pixelCount }
      ?? sizes.min { $0.pixelCount < $1.pixelCount }
  }

  private static func rate(of format: CameraFormat, wanted: Double?) -> FrameRate? {
    if let wanted {
      return format.frameRates.min {
        abs($0.framesPerSecond - wanted) < abs($1.framesPerSecond - wanted)
      }
    }
    return format.frameRates.first { $0.framesPerSecond < 30.5 } ?? format.frameRates.last
  }

  private static func isBetter(_ left: Choice, _ right: Choice) -> Bool {
    key(of: left).lexicographicallyPrecedes(key(of: right))
  }

  /// Smaller is better, compared number by number.
  private static func key(of choice: Choice) -> [Double] {
    let format = choice.format.pixelFormat
    return [
      format.isDepth ? 1 : 0,
      StreamConversion.needsConversion(format) ? 1 : 0,
      -(choice.rate?.framesPerSecond ?? 0),
      format.isCompressed ? 1 : 0,
    ]
  }
}

// MARK: Refusals

extension FormatNegotiation {
  /// What to request instead of a format that cannot be used: if possible of its size. Nil if the
  /// camera has no other.
  func substitute(of size: ImageSize?) -> FormatRequest? {
    let choice = (try? choose(FormatRequest(size: size))) ?? (try? choose(FormatRequest()))
    return choice.map {
      FormatRequest(
        pixelFormat: $0.format.pixelFormat, size: $0.format.size,
        framesPerSecond: $0.rate?.framesPerSecond)
    }
  }

  private func refusal(of wanted: PixelFormat, _ request: FormatRequest) -> CaptureError {
    let names = orderedNames()
    if undeliverable.contains(wanted) {
      return refusal(
        "the camera has \(wanted.name), which cannot be used (\(wanted.problem)): "
          + (substitute(of: request.size).map {
            "take \($0.summary), or another format of \(Self.list(names))"
          } ?? "it has no other format, so take another camera"),
        part: .format
      )
    }
    return refusal(
      names.isEmpty
        ? "the camera offers no picture format"
        : "the camera has no \(wanted.name): it has \(Self.list(names))",
      part: .format
    )
  }

  private func refusal(
    of wanted: ImageSize,
    _ request: FormatRequest,
    among formats: [CameraFormat]
  ) -> CaptureError {
    var sizes: [ImageSize] = []
    for format in formats where !sizes.contains(format.size) { sizes.append(format.size) }
    let nearest = sizes.sorted { $0.distance(to: wanted) < $1.distance(to: wanted) }.prefix(4)
    let holder = request.pixelFormat.map { "\($0.name)" } ?? "the camera"
    return refusal(
      "\(holder) has no size \(wanted): the nearest are "
        + nearest.map(\.description).joined(separator: ", "),
      part: .size
    )
  }

  private func refusal(
    of wanted: Double,
    _ request: FormatRequest,
    among formats: [CameraFormat]
  ) -> CaptureError {
    var rates: [FrameRate] = []
    for rate in formats.flatMap(\.frameRates)
    where !rates.contains(where: { $0.summary == rate.summary }) {
      rates.append(rate)
    }
    rates.sort { $0.framesPerSecond > $1.framesPerSecond }
    let shape = [request.pixelFormat?.name, request.size?.description].compactMap(\.self)
    let holder = shape.isEmpty ? "the camera" : shape.joined(separator: " ")
    let remedy =
      rates.isEmpty
      ? "its driver names no rates; leave the rate out"
      : "it has " + Self.list(rates.map(\.summary)) + " frames a second"
    let number = FrameRate(nearest: wanted)?.summary ?? "\(wanted)"
    return refusal("\(holder) has no rate of \(number): \(remedy)", part: .rate)
  }

  private func refusal(_ message: String, part: CaptureError.Part) -> CaptureError {
    CaptureError(.unsupportedFormat, message, part: part)
  }

  /// The names of the offered formats, the cheapest first.
  private func orderedNames() -> [String] {
    var names: [String] = []
    let direct = offers.filter { !StreamConversion.needsConversion($0.pixelFormat) }
    for format in direct + offers where !names.contains(format.pixelFormat.name) {
      names.append(format.pixelFormat.name)
    }
    return names
  }

  private static func list(_ words: [String]) -> String {
    let shown = words.prefix(12).joined(separator: ", ")
    return words.count > 12 ? "\(shown) and \(words.count - 12) more" : shown
  }
}

extension ImageSize {
  fileprivate func distance(to other: ImageSize) -> Int {
    abs(width - other.width) + abs(height - other.height)
  }
}
