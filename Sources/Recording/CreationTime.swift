import Foundation

/// A moment of the wall clock as libavformat reads it: `2026-05-04T10:11:12.345678Z`.
struct CreationTime: CustomStringConvertible {
  let description: String

  /// - Parameter nanoseconds: since 1970; what is before counts as then.
  init(_ nanoseconds: Int64) {
    let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    // The seconds alone, for whole ones are exact in a Date.
    let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let microseconds = String(1_000_000 + rest / 1000).dropFirst()
    description = "\(whole.dropLast()).\(microseconds)Z"
  }
}
