import FoundationEssentials
import OperatingSystem

extension CaptureTime {
  /// How far the moment lies ahead by this machine's clocks, at most an hour.
  var lead: Duration {
    let ahead: Duration =
      switch self {
      case .now, .next, .past, .noOlderThan: .zero
      case .atMonotonic(let nanoseconds):
        MonotonicTime(nanoseconds: nanoseconds) - .now
      case .atWall(let nanoseconds):
        .seconds(Double(nanoseconds) / 1e9 - Date().timeIntervalSince1970)
      }
    return min(max(ahead, .zero), .seconds(3600))
  }
}
