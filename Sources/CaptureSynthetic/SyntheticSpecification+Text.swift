package import Capture
import Imaging

extension SyntheticSpecification {
  /// Parses the text after `synthetic:` in a camera's specification:
  /// `[WIDTHxHEIGHT][@RATE][,format=NAME][,phase=2ms][,clock_offset=-1ms]`
  /// `[,clock_drift=50ppm][,quality=85][,caption=off][,settle=1-6][,seed=1][,facts=off]`
  /// `[,zoom=off][,warmup=8][,free=on]`.
  ///
  /// Omitted parts keep their defaults. Times take the units ns, us, ms and s.
  /// - Throws: `invalidArgument` or `unsupportedFormat`. The message quotes the wrong part and
  ///   names valid values.
  package static func parse(
    _ text: some StringProtocol
  ) throws(CaptureError) -> SyntheticSpecification {
    let (request, options) = try FormatRequest.parse(text)
    var specification = SyntheticSpecification()
    specification.size = request.size ?? specification.size
    specification.framesPerSecond = request.framesPerSecond ?? specification.framesPerSecond
    specification.pixelFormat = request.pixelFormat ?? specification.pixelFormat
    try SyntheticFormats.check(specification.size)
    try SyntheticFormats.check(specification.pixelFormat)
    _ = try SyntheticFormats.rate(specification.framesPerSecond)
    for (key, value) in options { try specification.take(Option(key: key, value: value)) }
    return specification
  }

  private mutating func take(_ option: Option) throws(CaptureError) {
    switch option.key {
    case "phase": phase = try option.nanoseconds()
    case "clock_offset": clock.offset = try option.nanoseconds()
    case "clock_drift": clock.drift = try option.partsPerMillion()
    case "quality": quality = try option.quality()
    case "caption": showsCaption = try option.isOn()
    case "settle": settling.frames = try option.frames()
    case "seed": settling.seed = try option.number()
    case "facts": saysFacts = try option.isOn()
    case "zoom": hasZoom = try option.isOn()
    case "warmup": warmUp = try option.frames().upperBound
    case "free": isFree = try option.isOn()
    default:
      throw CaptureError(
        .invalidArgument,
        """
        the synthetic camera has no option '\(option.key)': it has format, phase, clock_offset, clock_drift, \
        quality, caption, settle, seed, facts, zoom, warmup and free
        """,
        part: .option(option.key)
      )
    }
  }

  /// The specification as text that `parse` accepts. It omits defaults.
  package var text: String {
    let standard = SyntheticSpecification()
    var parts = ["\(size.width)x\(size.height)@\(Self.decimal(framesPerSecond))"]
    parts.append("format=\(pixelFormat.name)")
    if phase != 0 { parts.append("phase=\(phase)ns") }
    if clock.offset != 0 { parts.append("clock_offset=\(clock.offset)ns") }
    if clock.drift != 0 { parts.append("clock_drift=\(Self.decimal(clock.drift))ppm") }
    if quality != standard.quality { parts.append("quality=\(quality)") }
    if !showsCaption { parts.append("caption=off") }
    let (first, last) = (settling.frames.lowerBound, settling.frames.upperBound)
    if settling.frames != standard.settling.frames {
      parts.append(first == last ? "settle=\(first)" : "settle=\(first)-\(last)")
    }
    if settling.seed != standard.settling.seed { parts.append("seed=\(settling.seed)") }
    if !saysFacts { parts.append("facts=off") }
    if !hasZoom { parts.append("zoom=off") }
    if warmUp > 0 { parts.append("warmup=\(warmUp)") }
    if isFree { parts.append("free=on") }
    return parts.joined(separator: ",")
  }

  private static func decimal(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }
}

/// One `key=value` of a specification, as written.
private struct Option {
  let key: String
  let value: String

  func nanoseconds() throws(CaptureError) -> Int64 {
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]
    // "s" comes last, because every unit ends with it.
    guard let unit = units.first(where: { value.hasSuffix($0.0) }),
      let number = Double(value.dropLast(unit.0.count)), abs(number * unit.1) <= 1e15
    else { throw refused("write a time with its unit, for example 2ms, -500us or 1000ns") }
    return Int64((number * unit.1).rounded())
  }

  func partsPerMillion() throws(CaptureError) -> Double {
    guard value.hasSuffix("ppm"), let number = Double(value.dropLast(3)), abs(number) <= 100_000
    else { throw refused("write millionths, at most 100000, for example 50ppm") }
    return number
  }

  func quality() throws(CaptureError) -> Int {
    guard let number = Int(value), (1...100).contains(number) else {
      throw refused("write a JPEG quality from 1 to 100")
    }
    return number
  }

  /// One number, or the least and the most with a hyphen between them.
  func frames() throws(CaptureError) -> ClosedRange<Int> {
    let numbers = value.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard (1...2).contains(numbers.count), numbers.allSatisfy({ (1...1000).contains($0) }),
      numbers[0] <= numbers[numbers.count - 1]
    else { throw refused("write how many frames it takes, 1000 at most, for example 3 or 1-6") }
    return numbers[0]...numbers[numbers.count - 1]
  }

  func number() throws(CaptureError) -> UInt64 {
    guard let number = UInt64(value) else { throw refused("write a whole number") }
    return number
  }

  func isOn() throws(CaptureError) -> Bool {
    switch value {
    case "on": return true
    case "off": return false
    default: throw refused("write on or off")
    }
  }

  private func refused(_ remedy: String) -> CaptureError {
    CaptureError(
      .invalidArgument, "'\(value)' is no valid value of '\(key)': \(remedy)", part: .option(key))
  }
}
