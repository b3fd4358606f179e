import CameraClient

// Numbers as people read them.

extension Duration {
  /// "1.25 ms"; the unit fits the size.
  var words: String {
    let seconds = self / .seconds(1)
    return switch abs(seconds) {
    case 0: "0"
    case ..<1e-3: "\((seconds * 1e6).rounded(to: 1)) us"
    case ..<1: "\((seconds * 1e3).rounded(to: 2)) ms"
    case ..<120: "\(seconds.rounded(to: 2)) s"
    case ..<7200: "\((seconds / 60).rounded(to: 1)) min"
    default: "\((seconds / 3600).rounded(to: 1)) h"
    }
  }
}

extension Double {
  func rounded(to digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}

extension UInt64 {
  /// "1.5 MB"; the unit fits the size.
  var byteWords: String {
    switch self {
    case ..<1000: "\(self) B"
    case ..<1_000_000: "\((Double(self) / 1e3).rounded(to: 1)) kB"
    case ..<1_000_000_000: "\((Double(self) / 1e6).rounded(to: 1)) MB"
    default: "\((Double(self) / 1e9).rounded(to: 2)) GB"
    }
  }
}

extension Timestamp {
  /// UTC to the millisecond.
  var words: String { String(text.dropLast(7)) + "Z" }

  /// How long ago another moment was, on the same node's clock.
  func age(of moment: Timestamp) -> String {
    Duration.nanoseconds(max(0, monotonicNanoseconds - moment.monotonicNanoseconds)).words
  }
}

extension StreamFormat {
  /// "1280x720 YUYV 30/s".
  var words: String {
    let rate = frameRate.map { " \($0.rounded(to: 2))/s" } ?? ""
    let device = devicePixelFormat == pixelFormat ? "" : " (from \(devicePixelFormat))"
    return "\(size) \(pixelFormat)\(rate)\(device)"
  }
}

extension ResolvedCapture {
  /// "frame 12, 3 ms before the moment asked for, ±16 ms".
  var words: String {
    let offset = Duration.nanoseconds(offsetNanoseconds)
    let side = offset < .zero ? "before" : "after"
    let distance = offset < .zero ? .zero - offset : offset
    let bound = Duration.nanoseconds(Int64(clamping: uncertaintyNanoseconds))
    return "frame \(frameSequence), \(distance.words) \(side) the moment asked for, ±\(bound.words)"
  }
}
