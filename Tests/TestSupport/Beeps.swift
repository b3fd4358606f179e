import Foundation

/// What a movie lets a listener hear, decoded by another program.
package enum Beeps {
  private static let rate = 48_000.0
  /// The loudness of a moment is the root of the mean square of so many samples.
  private static let window = 24
  private static let loud = 3000.0

  /// The movie's sound, from its beginning on, of one channel.
  package static func samples(of path: String) throws -> [Int16] {
    let bytes = try [UInt8](
      output(
        of: "ffmpeg",
        [
          "-v", "error", "-xerror", "-i", path, "-vn", "-ac", "1", "-ar", "48000", "-af",
          "aresample=async=1:first_pts=0", "-f", "s16le", "-",
        ]))
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// When each beep begins, in seconds since the beginning of the movie: where it first is loud
  /// after half a second of quiet.
  package static func onsets(in samples: [Int16]) -> [Double] {
    var onsets: [Double] = []
    var lastLoud: Int?
    for start in stride(from: 0, to: samples.count - window, by: window / 4) {
      let power = samples[start..<start + window].reduce(0.0) { $0 + Double($1) * Double($1) }
      guard (power / Double(window)).squareRoot() > loud else { continue }
      if lastLoud.map({ Double(start - $0) > rate / 2 }) ?? true {
        // The window is loud when nearly half of it is.
        onsets.append((Double(start) + Double(window) * 0.8) / rate)
      }
      lastLoud = start
    }
    return onsets
  }
}
