public import FoundationEssentials

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
  /// The frame nearest this moment of the node's monotonic clock, in the past or the future.
  case atMonotonic(MonotonicInstant)
  /// The frame nearest this moment of the node's wall clock, in the past or the future.
  case atWall(WallInstant)

  /// The frame nearest this moment of the wall clock.
  public static func at(_ date: Date) -> CaptureTime { .atWall(WallInstant(date)) }

  /// The frame nearest the moment of an RFC 3339 text such as `2026-11-21T09:07:07.25Z`; nil for
  /// other texts.
  public static func at(_ text: String) -> CaptureTime? { WallInstant(text).map(atWall) }
}

extension CaptureTime {
  /// How far the moment lies ahead by this machine's clocks, at most as long as a request may wait.
  var lead: Duration {
    let ahead: Duration =
      switch self {
      case .now, .next, .past, .noOlderThan: .zero
      case .atMonotonic(let moment): moment - .now
      case .atWall(let moment): moment - .now
      }
    return min(max(ahead, .zero), PendingRequests.Rule.longest)
  }
}
