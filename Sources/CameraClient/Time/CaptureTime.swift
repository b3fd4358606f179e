import CameraProtocol
public import FoundationEssentials
import OperatingSystem

/// The moment of a photo.
///
/// The node keeps its recent frames, so a photo can show the moment of the request or one before
/// it. ``ResolvedCapture`` says which frame was chosen and how far it is from that moment.
public enum CaptureTime: Hashable, Sendable {
  /// The frame nearest the moment the node reads the request.
  case now
  /// The first frame that certainly began its exposure after the node read the request. See
  /// ``ExposureBounds``: the less the camera's times prove, the longer it waits.
  case next
  /// The frame nearest this long before the node reads the request.
  case past(Duration)
  /// The newest frame if its exposure certainly began no longer ago than this, else the next.
  case noOlderThan(Duration)
  /// The frame nearest this moment of the node's `CLOCK_MONOTONIC`, in the past or the future.
  case atMonotonic(nanoseconds: Int64)
  /// The frame nearest this moment of the wall clock, nanoseconds since 1970, in the past or the
  /// future.
  case atWall(nanoseconds: Int64)

  /// The frame nearest this moment of the wall clock.
  public static func at(_ date: Date) -> CaptureTime {
    let nanoseconds = date.timeIntervalSince1970 * 1e9
    return .atWall(
      nanoseconds: Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? 0 : .max)
    )
  }

  /// The frame nearest the moment of an RFC 3339 text such as `2026-11-21T09:07:07.25Z`; nil for
  /// other texts.
  public static func at(_ text: String) -> CaptureTime? {
    WallTime.nanoseconds(parsing: text).map { .atWall(nanoseconds: $0) }
  }
}

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
