import Imaging

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
