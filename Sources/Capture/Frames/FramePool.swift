package import Imaging
import OperatingSystem

/// A bounded number of frames of one size. Confined to the thread that takes from it.
///
/// A frame is free when the pool has the only reference to it. So holders give it back just by
/// releasing it, on any thread. Memory is allocated when it is first needed and then kept, so that
/// nothing allocates per frame once warm.
package final class FramePool {
  private var frames: [Frame] = []
  private var next = 0
  private let byteCount: Int
  private let limit: Int
  private let layout: ImageLayout

  /// - Parameters:
  ///   - limit: The most frames in use at once.
  ///   - byteCount: The memory of each, in bytes.
  ///   - layout: The layout of a frame before it is first sealed.
  package init(limit: Int, byteCount: Int, layout: ImageLayout) {
    self.limit = limit
    self.byteCount = byteCount
    self.layout = layout
  }

  /// Whether not all frames are in use.
  var hasRoom: Bool {
    frames.count < limit || frames.indices.contains { isKnownUniquelyReferenced(&frames[$0]) }
  }

  /// A frame to write, or nil when all are in use.
  /// - Parameter isAwaited: Whether a consumer will read the picture soon.
  package func take(isAwaited: Bool = true) -> FrameDraft? {
    for _ in frames.indices {
      next = next + 1 < frames.count ? next + 1 : 0
      if isKnownUniquelyReferenced(&frames[next]) {
        return FrameDraft(frames[next], isAwaited: isAwaited)
      }
    }
    guard frames.count < limit else { return nil }
    frames.append(Frame(capacity: byteCount, layout: layout, metadata: .empty))
    next = frames.count - 1
    return FrameDraft(frames[next], isAwaited: isAwaited)
  }
}

extension FrameDraft {
  /// Memory for one frame that is in no pool.
  static func single(_ byteCount: Int, _ layout: ImageLayout) -> FrameDraft {
    FrameDraft(Frame(capacity: byteCount, layout: layout, metadata: .empty), isAwaited: true)
  }
}

extension FrameMetadata {
  fileprivate static var empty: FrameMetadata {
    let zero = MonotonicTime(nanoseconds: 0)
    return FrameMetadata(
      sequence: 0,
      timestamp: zero,
      marks: .dequeue,
      exposure: ExposureBounds(earliestStart: zero, latestEnd: zero),
      dequeued: zero,
      copied: zero,
      wallClock: WallClockSample(offset: 0, error: 0)
    )
  }
}
